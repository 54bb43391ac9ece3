package main

import (
	"strings"
	"testing"

	"gamebots/hexproto/server"
)

// least are the smallest limits.
var least = server.Limits{Connections: 1, Rate: 1, Games: 1, BotGames: 1, Clockless: 1}

func TestServeFlags(t *testing.T) {
	for _, test := range []struct {
		change func(*serveFlags)
		want   string // part of the error
	}{
		{func(*serveFlags) {}, ""},
		{func(f *serveFlags) { f.cert = "server.crt" }, "--cert and --key"},
		{func(f *serveFlags) { f.limits.Rate = 0 }, "--rate"},
		{func(f *serveFlags) { f.botMemory = 1 }, "--bot-memory: 1 B is too little"},
		{func(f *serveFlags) { f.sync = "never" }, `--sync is full or normal, not "never"`},
		{func(f *serveFlags) { f.trustedProxies = []string{"10.0.0.2"} }, "--trusted-proxy needs --public-url"},
		{func(f *serveFlags) { f.publicURL = "http://games.example.org" }, "--public-url is https"},
		{func(f *serveFlags) { f.publicURL = "https://games.example.org/there" }, "--public-url is https"},
		{func(f *serveFlags) {
			f.publicURL, f.trustedProxies = "https://games.example.org", []string{"proxy"}
		}, "--trusted-proxy is an address"},
	} {
		f := serveFlags{sync: "full", limits: least}
		test.change(&f)
		_, err := f.config()
		if test.want == "" && err != nil || test.want != "" &&
			(err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
	f := serveFlags{
		sync: "normal", limits: least, botMemory: 1 << 40,
		publicURL: "https://games.example.org", trustedProxies: []string{"10.0.0.2", "10.1.0.0/16"},
	}
	c, err := f.config()
	if err != nil {
		t.Fatal(err)
	}
	if c.PublicURL.Host != "games.example.org" || len(c.TrustedProxies) != 2 ||
		c.TrustedProxies[0].String() != "10.0.0.2/32" ||
		c.Sync != "normal" || c.BotMemory != 1<<40 {
		t.Errorf("%+v", c)
	}
}

func TestPageHost(t *testing.T) {
	for address, want := range map[string]string{
		"[::]:8080": "localhost:8080", "0.0.0.0:8080": "localhost:8080", "127.0.0.1:8080": "127.0.0.1:8080",
		"[2001:db8::1]:443": "[2001:db8::1]:443",
	} {
		if got := pageHost(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
