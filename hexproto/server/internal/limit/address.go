package limit

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
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

// Loopback are the addresses of this machine.
var Loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// Forwarded returns the address of a request's client, without port. A trusted proxy
// adds the address from which it was called at the end of X-Forwarded-For. What
// other addresses have written there is not believed: Forwarded goes back from the last
// hop to the first that is no trusted proxy. Where an entry is no address, the
// client is the proxy that wrote it.
func Forwarded(r *http.Request, trusted []netip.Prefix) string {
	client, ok := parse(r.RemoteAddr)
	if !ok {
		return r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 &&
		slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(client) }); i-- {
		hop, ok := parse(strings.TrimSpace(hops[i]))
		if !ok {
			break
		}
		client = hop
	}
	return client.String()
}

// parse reads an address with or without port.
func parse(text string) (netip.Addr, bool) {
	if with, err := netip.ParseAddrPort(text); err == nil {
		return with.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(text)
	return a.Unmap().WithZone(""), err == nil
}
