package limit

import (
	"net"
	"net/netip"
)

// Client returns the client that an address stands for: all addresses of an IPv6
// network of 64 bits are one. The address may have a port. What is no address stands
// for itself.
func Client(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	a, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if a = a.Unmap().WithZone(""); a.Is6() && !a.IsLoopback() {
		return netip.PrefixFrom(a, 64).Masked().String()
	}
	return a.String()
}
