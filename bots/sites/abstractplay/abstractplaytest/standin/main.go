// Standin is a stand-in for Abstract Play on this machine, to try a bot before it is registered there. It writes
// settings with a new id and secret, waits for the bot that runs with them, challenges it and plays games against it at
// random. Its argument is the bot's URL, if that is not the usual one.
//
//	go run ./bots/sites/abstractplay/abstractplaytest/standin
//	gamebots play abstractplay --config standin.toml
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"gamebots/bots/sites/abstractplay/abstractplaytest"
)

func main() {
	bot := "http://127.0.0.1:8090/"
	if len(os.Args) > 1 {
		bot = os.Args[1]
	}
	if err := play(bot); err != nil {
		fmt.Fprintln(os.Stderr, "standin:", err)
		os.Exit(1)
	}
}

// play plays games with a bot that is not there yet.
func play(bot string) error {
	site := abstractplaytest.NewSite(bot)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { fmt.Fprintln(os.Stderr, "standin:", http.Serve(l, site)) }()
	if err := writeSettings(site, "http://"+l.Addr().String()); err != nil {
		return err
	}
	fmt.Println("standin.toml is written; now start the bot: gamebots play abstractplay --config standin.toml")
	for {
		status, text, err := site.Send(http.MethodGet, nil, http.Header{})
		if err == nil && status == http.StatusOK { // a proxy may be there before the bot
			fmt.Printf("ping: %d %s\n", status, strings.TrimSpace(text))
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	for i, variants := range [][]string{{"size-4"}, {"size-6"}, nil, {"size-10"}} {
		status, text, err := site.Post(abstractplaytest.Challenge("somebody", 72, variants...))
		if err != nil {
			return err
		}
		fmt.Printf("challenge %q: %d %s\n", variants, status, strings.TrimSpace(text))
		if status != http.StatusOK {
			continue
		}
		g, err := site.Play(i%2, i == 2, uint64(i), variants...)
		if err != nil {
			return err
		}
		<-g.Done
		fmt.Printf("game %s: the bot has %s, with %d moves\n", g.ID, g.Result, site.Moves(g))
	}
	fmt.Printf("%d moves refused %q\n", len(site.Refused), site.Refused)
	return nil
}

// writeSettings writes the settings for a bot at a site with an address.
func writeSettings(site *abstractplaytest.Site, address string) error {
	const settings = `# Made by the stand-in for Abstract Play; each start of it has another id, secret and key.
[site]
client_id = %q
secret_file = "standin.secret"
token_url = %q
scope = %q
query_url = %q
key_url = %q
key_file = "standin.key"

[webhook]
state = "standin.json"

[think]
most = "1s"
`
	if err := os.WriteFile("standin.secret", []byte(site.Secret+"\n"), 0o600); err != nil {
		return err
	}
	if err := os.RemoveAll("standin.key"); err != nil {
		return err
	}
	return os.WriteFile("standin.toml", fmt.Appendf(nil, settings, site.ClientID, address+abstractplaytest.TokenPath,
		abstractplaytest.Scope, address+abstractplaytest.QueryPath, address+abstractplaytest.KeyPath), 0o600)
}
