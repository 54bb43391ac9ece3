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

// Networks returns the networks that are limited together with a client, narrowest first: the
// client's own and, since one customer of a provider may have that many, those of 56 and 48 bits
// around it.
func Networks(client string) []string {
	p, err := netip.ParsePrefix(client)
	if err != nil {
		return []string{client}
	}
	networks := []string{client}
	for _, bits := range []int{56, 48} {
		networks = append(networks, netip.PrefixFrom(p.Addr(), bits).Masked().String())
	}
	return networks
}
