package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// redial is the pause between two attempts to connect.
const redial = 50 * time.Millisecond

// Dial connects to the dealer's port of one seat. It retries for the given time while the
// dealer is not listening yet; 0 tries once. A host that does not exist is an error at once.
func Dial(ctx context.Context, addr string, retry time.Duration) (net.Conn, error) {
	var dialer net.Dialer
	giveUp := time.Now().Add(retry)
	for {
		conn, err := dialer.DialContext(ctx, "tcp", addr)
		if err == nil {
			return conn, nil
		}
		if time.Until(giveUp) < redial || NoSuchHost(err) {
			return nil, fmt.Errorf("connect to the dealer: %w", err)
		}
		select {
		case <-time.After(redial):
		case <-ctx.Done():
			return nil, fmt.Errorf("connect to the dealer: %w", context.Cause(ctx))
		}
	}
}

// NoSuchHost reports whether an error says that a name is no host's, which waiting does not mend.
func NoSuchHost(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound
}
