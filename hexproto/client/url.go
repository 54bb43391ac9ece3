package client

import (
	"fmt"
	"net/url"
	"strings"
)

// WebsocketURL returns the URL of a server's websocket, by the address of the server,
// of its page or of the websocket itself. Without a scheme it is http.
func WebsocketURL(address string) (string, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("%q is not an address of a server", address)
	}
	scheme, ok := map[string]string{"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}[u.Scheme]
	if !ok {
		return "", fmt.Errorf("%q is not the address of a server, which begins with http, https, ws or wss", address)
	}
	u.Scheme = scheme
	if u.Path == "" || u.Path == "/" {
		u.Path = "/ws"
	}
	return u.String(), nil
}
