package client_test

import (
	"testing"

	"gamebots/hexproto/client"
)

// Without a scheme the token does not go in clear to another machine.
func TestWebsocketURL(t *testing.T) {
	for address, want := range map[string]string{
		"games.example.org":             "wss://games.example.org/ws",
		"games.example.org:8080/":       "wss://games.example.org:8080/ws",
		"192.168.1.5:8080":              "wss://192.168.1.5:8080/ws",
		"localhost.example.org":         "wss://localhost.example.org/ws",
		"localhost:8080":                "ws://localhost:8080/ws",
		"LOCALHOST":                     "ws://LOCALHOST/ws",
		"127.0.0.2:1":                   "ws://127.0.0.2:1/ws",
		"[::1]:8080":                    "ws://[::1]:8080/ws",
		"http://games.example.org":      "ws://games.example.org/ws",
		"https://games.example.org":     "wss://games.example.org/ws",
		"https://localhost":             "wss://localhost/ws",
		"wss://games.example.org/other": "wss://games.example.org/other",
		"":                              "", "http://": "", ":8080": "", "ftp://localhost": "", "games example": "",
	} {
		got, err := client.WebsocketURL(address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", address, got, err, want)
		}
	}
}

func TestInClear(t *testing.T) {
	for websocket, want := range map[string]bool{
		"ws://games.example.org/ws": true, "ws://192.168.1.5/ws": true, "ws://0.0.0.0/ws": true,
		"ws://localhost:8080/ws": false, "ws://[::1]/ws": false, "wss://games.example.org/ws": false,
	} {
		if client.InClear(websocket) != want {
			t.Errorf("%s: %v", websocket, !want)
		}
	}
}
