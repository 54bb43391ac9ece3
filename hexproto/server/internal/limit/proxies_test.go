package limit

import (
	"net/http"
	"net/netip"
	"slices"
	"testing"
)

func TestForwarded(t *testing.T) {
	lan := append(slices.Clone(Loopback), netip.MustParsePrefix("10.0.0.0/8"))
	for _, c := range []struct {
		name, remote string
		header       []string
		trusted      []netip.Prefix
		want         string
	}{
		{"no proxy", "203.0.113.7:1234", nil, Loopback, "203.0.113.7"},
		{"a client that claims to be another", "203.0.113.7:1234", []string{"198.51.100.1"}, Loopback, "203.0.113.7"},
		{"nobody is trusted", "127.0.0.1:1234", []string{"203.0.113.7"}, nil, "127.0.0.1"},
		{"a proxy on this machine", "127.0.0.1:1234", []string{"203.0.113.7"}, Loopback, "203.0.113.7"},
		{"of version 6", "[::1]:1234", []string{"2001:db8::7"}, Loopback, "2001:db8::7"},
		{"mapped to version 6", "[::ffff:127.0.0.1]:1234", []string{"::ffff:203.0.113.7"}, Loopback, "203.0.113.7"},
		{"with ports", "127.0.0.1:1234", []string{"[2001:db8::7]:99"}, Loopback, "2001:db8::7"},
		{"the last hop counts", "127.0.0.1:1234", []string{"198.51.100.1, 203.0.113.7"}, Loopback, "203.0.113.7"},
		{"in two headers", "127.0.0.1:1234", []string{"198.51.100.1", "203.0.113.7"}, Loopback, "203.0.113.7"},
		{"two proxies", "127.0.0.1:1234", []string{"198.51.100.1, 203.0.113.7, 10.1.2.3"}, lan, "203.0.113.7"},
		{"only proxies", "127.0.0.1:1234", []string{"10.1.2.3"}, lan, "10.1.2.3"},
		{"a proxy that says nothing", "127.0.0.1:1234", nil, Loopback, "127.0.0.1"},
		{"no address", "127.0.0.1:1234", []string{"203.0.113.7, unknown"}, Loopback, "127.0.0.1"},
		{"a pipe", "@", []string{"203.0.113.7"}, Loopback, "@"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.header}}
		if got := Forwarded(r, c.trusted); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Whatever a client sends, its address is the one that the proxy added.
func FuzzForwarded(f *testing.F) {
	f.Add("198.51.100.1")
	f.Add("127.0.0.1, ::1,,")
	f.Add("[::1]:x, \x00")
	f.Fuzz(func(t *testing.T, sent string) {
		r := &http.Request{RemoteAddr: "127.0.0.1:1", Header: http.Header{"X-Forwarded-For": {sent, "203.0.113.7"}}}
		if got := Forwarded(r, Loopback); got != "203.0.113.7" {
			t.Errorf("%q makes %s", sent, got)
		}
		r.RemoteAddr, r.Header = "203.0.113.7:1", http.Header{"X-Forwarded-For": {sent}}
		if got := Forwarded(r, Loopback); got != "203.0.113.7" {
			t.Errorf("%q makes %s", sent, got)
		}
	})
}
