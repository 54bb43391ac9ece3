//go:build !linux

package dealer

import "net"

// Eager returns the connection as it is: only Linux has an eager one.
func Eager(conn net.Conn) net.Conn { return conn }
