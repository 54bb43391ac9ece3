package socket

import (
	"io"
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// Eager returns the connection with reads and writes that try the system first
// and Go's scheduler only when that takes long. Where the system does not let
// it, the connection stays as it is.
func Eager(conn net.Conn) net.Conn {
	tcp, ok := conn.(*net.TCPConn)
	if !ok || runtime.GOMAXPROCS(0) == 1 {
		return conn
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return conn
	}
	c := &eager{TCPConn: tcp, raw: raw, others: int32(runtime.GOMAXPROCS(0) - 2)}
	c.in = transfer{call: syscall.SYS_READ, option: syscall.SO_RCVTIMEO}
	c.out = transfer{call: syscall.SYS_WRITE, option: syscall.SO_SNDTIMEO}
	for _, t := range []*transfer{&c.in, &c.out} {
		t.try = t.attempt // made once, for no allocation later
		if err := c.wait(t, patience); err != nil {
			return conn
		}
	}
	if err := c.block(true); err != nil {
		return conn
	}
	return c
}

// eager is a connection whose descriptor blocks, but for no longer than the
// patience, except while the scheduler has it.
type eager struct {
	*net.TCPConn
	raw     syscall.RawConn
	in, out transfer
	others  int32 // how many others may be waiting when this one waits
}

// waiting is how many connections of the process wait in the system. Each has
// one of the scheduler's processors, of which one is left for all other work.
var waiting atomic.Int32

// patience is how long a call waits in the system. It is a bound, too, for how
// long it can hold up the garbage collector, which has to wait for a thread
// that the scheduler does not know to be waiting.
const patience = 20 * time.Millisecond

func (c *eager) Read(p []byte) (n int, err error) {
	wait := patience
	if d := c.in.deadline; !d.IsZero() {
		if wait = min(wait, time.Until(d)); wait <= 0 {
			return 0, os.ErrDeadlineExceeded
		}
	}
	if wait != c.in.wait {
		if err := c.wait(&c.in, wait); err != nil {
			return 0, err
		}
	}
	switch n, errno, err := c.startRead(p); {
	case err != nil:
		return 0, err
	case errno == 0 && n == 0 && len(p) > 0:
		return 0, io.EOF
	case errno == 0:
		return n, nil
	}
	err = c.patiently(func() error {
		if err := c.TCPConn.SetReadDeadline(c.in.deadline); err != nil {
			return err
		}
		n, err = c.TCPConn.Read(p)
		return err
	})
	return n, err
}

func (c *eager) Write(p []byte) (written int, err error) {
	written, _, err = c.start(&c.out, p)
	if err != nil || written == len(p) {
		return written, err
	}
	err = c.patiently(func() error {
		if err := c.TCPConn.SetWriteDeadline(c.out.deadline); err != nil {
			return err
		}
		n, err := c.TCPConn.Write(p[written:])
		written += n
		return err
	})
	return written, err
}

// startRead is start for a read, if that may wait.
func (c *eager) startRead(p []byte) (int, syscall.Errno, error) {
	defer waiting.Add(-1)
	if waiting.Add(1) > 1+c.others {
		return 0, syscall.EAGAIN, nil
	}
	return c.start(&c.in, p)
}

// start makes an attempt; errors of the connection are left to package net,
// which meets them again.
func (c *eager) start(t *transfer, p []byte) (int, syscall.Errno, error) {
	t.p = p
	err := c.raw.Control(t.try)
	t.p = nil
	return t.n, t.errno, err
}

// patiently does something with the connection as package net has it.
func (c *eager) patiently(do func() error) error {
	if err := c.block(false); err != nil {
		return err
	}
	err := do()
	if blockErr := c.block(true); err == nil {
		err = blockErr
	}
	return err
}

func (c *eager) block(on bool) (err error) {
	controlErr := c.raw.Control(func(fd uintptr) { err = syscall.SetNonblock(int(fd), !on) })
	if controlErr != nil {
		return controlErr
	}
	return os.NewSyscallError("fcntl", err)
}

// wait sets how long a transfer may take in the system.
func (c *eager) wait(t *transfer, limit time.Duration) (err error) {
	t.wait = limit
	tv := syscall.NsecToTimeval(int64(max(limit, time.Microsecond))) // 0 would be for ever
	controlErr := c.raw.Control(func(fd uintptr) {
		err = syscall.SetsockoptTimeval(int(fd), syscall.SOL_SOCKET, t.option, &tv)
	})
	if controlErr != nil {
		return controlErr
	}
	return os.NewSyscallError("setsockopt", err)
}

func (c *eager) SetDeadline(t time.Time) error {
	c.in.deadline, c.out.deadline = t, t
	return nil
}

func (c *eager) SetReadDeadline(t time.Time) error {
	c.in.deadline = t
	return nil
}

func (c *eager) SetWriteDeadline(t time.Time) error {
	c.out.deadline = t
	return nil
}

// transfer is one direction of a connection.
type transfer struct {
	call   uintptr // read or write
	option int     // of the socket, for how long it may wait
	wait   time.Duration
	try    func(fd uintptr)
	// deadline is told to the scheduler only when it waits.
	deadline time.Time

	p     []byte // what an attempt is given
	n     int    // what came of it
	errno syscall.Errno
}

// attempt reads or writes by a raw system call, which keeps the scheduler out.
func (t *transfer) attempt(fd uintptr) {
	n, _, errno := syscall.RawSyscall(t.call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(t.p))), uintptr(len(t.p)))
	if t.n, t.errno = int(n), errno; errno != 0 {
		t.n = 0
	}
}
