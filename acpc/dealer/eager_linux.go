package dealer

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

// Eager returns a connection that has less latency where two ends take turns with short messages. If the system does
// not support that, it returns the connection itself.
//
// When a read of package net finds no data, the goroutine is parked, the thread looks for other work and goes to sleep,
// and both are woken by the message. That takes as long as an answer that takes some tens of microseconds. An eager
// connection blocks in the system call instead, for a few milliseconds at most, and then falls back to package net, so
// that an idle connection costs no more than usual. Deadlines are as exact as those of package net.
//
// A blocking system call holds one of the scheduler's processors (GOMAXPROCS). Eager connections are for programs that
// have nothing else to do in the meantime, so main programs choose them, not libraries; one processor is always left
// free.
//
// An eager connection is for one reader and one writer at a time. A deadline holds for calls that begin after it was
// set. Close may be called from any goroutine.
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
		t.try = t.attempt // a method value made once, so that calls do not allocate
		if err := c.wait(t, patience); err != nil {
			return conn
		}
	}
	if err := c.block(true); err != nil {
		return conn
	}
	return c
}

// eager is a connection whose descriptor is in blocking mode, with a timeout of patience,
// except while it is in the scheduler's hands.
type eager struct {
	*net.TCPConn
	raw     syscall.RawConn
	in, out transfer
	others  int32 // the number of other connections that may wait at the same time
}

// waiting is the number of connections of the process that block in system calls. Each
// holds one of the scheduler's processors; one processor is left for all other work.
var waiting atomic.Int32

// patience is how long a call blocks in the system. It also limits how long it can delay
// the garbage collector, which waits for threads in system calls that the scheduler does
// not know of.
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

// startRead is start for a read, if it may block.
func (c *eager) startRead(p []byte) (int, syscall.Errno, error) {
	defer waiting.Add(-1)
	if waiting.Add(1) > 1+c.others {
		return 0, syscall.EAGAIN, nil
	}
	return c.start(&c.in, p)
}

// start makes an attempt. Errors of the connection are left to package net, which will
// meet them again.
func (c *eager) start(t *transfer, p []byte) (int, syscall.Errno, error) {
	t.p = p
	err := c.raw.Control(t.try)
	t.p = nil
	return t.n, t.errno, err
}

// patiently calls do with the connection in the mode of package net.
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

// wait sets the timeout of a transfer in the system.
func (c *eager) wait(t *transfer, limit time.Duration) (err error) {
	t.wait = limit
	tv := syscall.NsecToTimeval(int64(max(limit, time.Microsecond))) // 0 would be no timeout
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
	option int     // the socket's option of its timeout
	wait   time.Duration
	try    func(fd uintptr)
	// deadline is passed to the scheduler only when that waits.
	deadline time.Time

	p     []byte // the buffer of the attempt
	n     int    // its result
	errno syscall.Errno
}

// attempt reads or writes by a raw system call, without notice to the scheduler.
func (t *transfer) attempt(fd uintptr) {
	n, _, errno := syscall.RawSyscall(t.call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(t.p))), uintptr(len(t.p)))
	if t.n, t.errno = int(n), errno; errno != 0 {
		t.n = 0
	}
}
