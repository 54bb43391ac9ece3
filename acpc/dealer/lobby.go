package dealer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

// Lobby has a listening port for each seat of a match.
type Lobby struct {
	listeners []*net.TCPListener
	// eager is set by Program, which has nothing to do but deal: see Eager.
	eager bool
}

// Listen opens a port on the host for every seat; 0 is any free port. The usual host is
// 127.0.0.1; an empty one is all addresses.
func Listen(host string, ports ...uint16) (*Lobby, error) {
	return openLobby(ports, func(port uint16) (net.Listener, error) { return listenTo(host, port) })
}

// portAttempts is how many random ports a seat tries, as in the original.
const portAttempts = 11

// listenFrom is Listen on all addresses, with the original server's choice for ports
// that are 0: the next free one of those that it draws from the seed of the match.
func listenFrom(seed uint32, ports ...uint16) (*Lobby, error) {
	random := newPortNumbers(seed)
	return openLobby(ports, func(port uint16) (listener net.Listener, err error) {
		if port != 0 {
			return listenTo("", port)
		}
		for range portAttempts {
			if listener, err = listenTo("", random.next()); err == nil {
				break
			}
		}
		return listener, err
	})
}

func openLobby(ports []uint16, open func(port uint16) (net.Listener, error)) (*Lobby, error) {
	l := &Lobby{}
	for i, port := range ports {
		listener, err := open(port)
		if err != nil {
			l.Close()
			return nil, withOriginalText(fmt.Errorf("listen for seat %d: %w", i+1, err),
				"could not create listen socket for player %d\n", i+1)
		}
		l.listeners = append(l.listeners, listener.(*net.TCPListener))
	}
	return l, nil
}

func listenTo(host string, port uint16) (net.Listener, error) {
	return net.Listen("tcp4", net.JoinHostPort(host, strconv.Itoa(int(port))))
}

// Addrs returns the addresses of the seats, as host:port.
func (l *Lobby) Addrs() []string {
	addrs := make([]string, len(l.listeners))
	for i, listener := range l.listeners {
		addrs[i] = listener.Addr().String()
	}
	return addrs
}

// Ports returns the ports of the seats.
func (l *Lobby) Ports() []int {
	ports := make([]int, len(l.listeners))
	for i, listener := range l.listeners {
		ports[i] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports
}

// Accept waits until every seat is connected, or until the timeout unless it is negative,
// and returns the connections by seat. Seats may connect in any order. The lobby is closed
// when Accept returns.
func (l *Lobby) Accept(ctx context.Context, timeout time.Duration) (conns []net.Conn, err error) {
	defer l.Close()
	defer context.AfterFunc(ctx, l.Close)()
	defer func() {
		if err != nil {
			closeAll(conns)
			conns = nil
		}
	}()
	var deadline time.Time
	if timeout >= 0 {
		deadline = time.Now().Add(timeout)
	}
	for i, listener := range l.listeners {
		if err := listener.SetDeadline(deadline); err != nil && ctx.Err() == nil {
			return conns, fmt.Errorf("wait for seat %d: %w", i+1, err)
		}
		conn, err := listener.Accept()
		switch {
		case err == nil:
			if l.eager {
				conn = Eager(conn)
			}
			conns = append(conns, conn)
		case ctx.Err() != nil:
			return conns, context.Cause(ctx)
		case errors.Is(err, os.ErrDeadlineExceeded):
			return conns, &AbsentError{Seat: i}
		default:
			return conns, fmt.Errorf("wait for seat %d: %w", i+1, err)
		}
		listener.Close() // the seat is taken
	}
	return conns, nil
}

// Close closes the ports. It may be called more than once.
func (l *Lobby) Close() {
	for _, listener := range l.listeners {
		listener.Close()
	}
}

func closeAll(conns []net.Conn) {
	for _, conn := range conns {
		conn.Close()
	}
}

// portNumbers draws ports as the original server does, with random() of the GNU C
// library: an additive feedback generator x[i] = x[i-3] + x[i-31] of 32 bits without
// the lowest one, seeded by the linear congruential generator of Park and Miller
// ("Random number generators: good ones are hard to find", 1988).
type portNumbers struct {
	x [31]uint32 // the last numbers, a ring
	i int        // the oldest of them
}

func newPortNumbers(seed uint32) *portNumbers {
	r := &portNumbers{i: 3} // the original's first index
	lehmer := int64(int32(max(seed, 1)))
	for i := range r.x {
		r.x[i] = uint32(lehmer)
		if lehmer = 16807 * lehmer % (1<<31 - 1); lehmer < 0 {
			lehmer += 1<<31 - 1
		}
	}
	for range 10 * len(r.x) { // to mix the seed into all of them
		r.random()
	}
	return r
}

func (r *portNumbers) random() uint32 {
	n := len(r.x)
	r.x[r.i] += r.x[(r.i+n-3)%n]
	value := r.x[r.i] >> 1
	r.i = (r.i + 1) % n
	return value
}

// next returns a port that needs no privileges.
func (r *portNumbers) next() uint16 {
	const first = 1024
	return uint16(first + r.random()%(1<<16-first))
}
