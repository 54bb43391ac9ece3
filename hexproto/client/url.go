package client

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// WebsocketURL returns the URL of a server's websocket, by the address of the server,
// of its page or of the websocket itself. Without a scheme it is https, or http on this machine.
func WebsocketURL(address string) (string, error) {
	whole := address
	if !strings.Contains(address, "://") {
		whole = "http://" + address
	}
	u, err := url.Parse(whole)
	if err != nil || u.Hostname() == "" {
		return "", fmt.Errorf("%q is not an address of a server", address)
	}
	scheme, ok := map[string]string{"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}[u.Scheme]
	if !ok {
		return "", fmt.Errorf("%q is not the address of a server, which begins with http, https, ws or wss", address)
	}
	if whole != address && !isLoopback(u.Hostname()) {
		scheme = "wss"
	}
	u.Scheme = scheme
	if u.Path == "" || u.Path == "/" {
		u.Path = "/ws"
	}
	return u.String(), nil
}

// InClear reports whether what is sent to the URL of a websocket, the token first, can be read and
// changed on its way to another machine.
func InClear(websocket string) bool {
	u, err := url.Parse(websocket)
	return err != nil || u.Scheme != "wss" && !isLoopback(u.Hostname())
}

// isLoopback reports whether a host is certainly this machine. It asks no name server.
func isLoopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}
