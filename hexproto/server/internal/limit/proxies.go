package limit

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

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
