package arena

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
)

// Door is where programs that nobody starts here come to play poker: an address
// that they connect to as to a dealer's seat, once for each match. Who comes before
// a match waits. It may serve several matches at a time.
type Door struct {
	listener net.Listener
	coming   chan net.Conn
	closed   chan struct{}
	running  sync.WaitGroup
}

// OpenDoor listens at an address.
func OpenDoor(address string) (*Door, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	d := &Door{listener: listener, coming: make(chan net.Conn), closed: make(chan struct{})}
	d.running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed
			}
			d.running.Go(func() {
				select {
				case d.coming <- conn:
				case <-d.closed:
					conn.Close()
				}
			})
		}
	})
	return d, nil
}

// Address is where the door is.
func (d *Door) Address() string { return d.listener.Addr().String() }

// Close sends all away who wait. No match may be going on.
func (d *Door) Close() error {
	close(d.closed)
	err := d.listener.Close()
	d.running.Wait()
	return err
}

// lead leads the next who comes to a dealer's seat, and passes on what they say
// until the match is over.
func (d *Door) lead(ctx context.Context, name, seat string) error {
	var guest net.Conn
	select {
	case guest = <-d.coming:
	case <-ctx.Done():
		return nil // the dealer says why
	}
	defer guest.Close()
	dealer, err := net.Dial("tcp", seat)
	if err != nil {
		return fmt.Errorf("bot %s: %w", name, err)
	}
	defer dealer.Close()
	defer context.AfterFunc(ctx, func() { guest.Close(); dealer.Close() })()
	var to sync.WaitGroup
	to.Go(func() {
		pass(dealer, guest)
		dealer.Close() // the dealer notices that the guest is gone
	})
	pass(guest, dealer) // ends when the dealer does
	guest.Close()
	to.Wait()
	return nil
}

// pass passes on what comes until one of both ends. The wrapping keeps io.Copy from
// splicing, whose pipes pay off for large amounts and not for lines.
func pass(to io.Writer, from io.Reader) {
	_, _ = io.Copy(struct{ io.Writer }{to}, struct{ io.Reader }{from})
}
