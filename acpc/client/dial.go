package client

import (
	"context"
	"fmt"
	"net"
	"time"
)

// redial is the pause between two attempts to connect.
const redial = 50 * time.Millisecond

// Dial connects to the dealer's port of one seat. It retries for the given time while the
// dealer is not listening yet; 0 tries once.
func Dial(ctx context.Context, addr string, retry time.Duration) (net.Conn, error) {
	var dialer net.Dialer
	giveUp := time.Now().Add(retry)
	for {
		conn, err := dialer.DialContext(ctx, "tcp", addr)
		if err == nil {
			return conn, nil
		}
		if time.Until(giveUp) < redial {
			return nil, fmt.Errorf("connect to the dealer: %w", err)
		}
		select {
		case <-time.After(redial):
		case <-ctx.Done():
			return nil, fmt.Errorf("connect to the dealer: %w", context.Cause(ctx))
		}
	}
}
