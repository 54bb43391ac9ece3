package arena

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
)

// SeatListener accepts poker programs that others start. A program connects
// to it as to a dealer's seat, once for each match. Connections wait until a match
// takes them. A SeatListener may serve several matches at a time.
type SeatListener struct {
	listener net.Listener
	waiting  chan net.Conn
	closed   chan struct{}
	running  sync.WaitGroup
}

// ListenSeat listens at an address.
func ListenSeat(address string) (*SeatListener, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	l := &SeatListener{listener: listener, waiting: make(chan net.Conn), closed: make(chan struct{})}
	l.running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed
			}
			l.running.Go(func() {
				select {
				case l.waiting <- conn:
				case <-l.closed:
					conn.Close()
				}
			})
		}
	})
	return l, nil
}

// Close closes the listener and the connections that wait. No match may be in
// progress.
func (l *SeatListener) Close() error {
	close(l.closed)
	err := l.listener.Close()
	l.running.Wait()
	return err
}

// join connects the next waiting program to a dealer's seat, and forwards both ways
// until the match is over. The name is for errors.
func (l *SeatListener) join(ctx context.Context, name, seat string) error {
	var program net.Conn
	select {
	case program = <-l.waiting:
	case <-ctx.Done():
		return nil // the dealer reports why
	}
	defer program.Close()
	dealer, err := net.Dial("tcp", seat)
	if err != nil {
		return fmt.Errorf("bot %s: %w", name, err)
	}
	defer dealer.Close()
	defer context.AfterFunc(ctx, func() { program.Close(); dealer.Close() })()
	var toDealer sync.WaitGroup
	toDealer.Go(func() {
		forward(dealer, program)
		dealer.Close() // tells the dealer that the program has gone
	})
	forward(program, dealer) // until the dealer closes the seat
	program.Close()
	toDealer.Wait()
	return nil
}

// forward copies until either side closes. The wrapping keeps io.Copy from splicing,
// whose pipes pay off for large amounts and not for lines.
func forward(to io.Writer, from io.Reader) {
	_, _ = io.Copy(struct{ io.Writer }{to}, struct{ io.Reader }{from})
}
