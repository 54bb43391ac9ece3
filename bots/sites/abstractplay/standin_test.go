package abstractplay

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/bots/sites/abstractplay/abstractplaytest"
)

var (
	standinFolder = flag.String("standin", "", "play with a bot that is started with standin.toml in this `FOLDER`")
	standinBot    = flag.String("bot", "http://127.0.0.1:8090/", "`URL` of the bot")
)

// TestStandin is, with -standin, a stand-in for Abstract Play on this machine, to try a bot before it is registered
// there. It writes settings with a new id and secret, waits for the bot that runs with them, challenges it and plays
// games against it at random.
//
//	go test ./bots/sites/abstractplay -run Standin -v -timeout 0 -standin "$PWD"
//	gamebots play abstractplay --config standin.toml
func TestStandin(t *testing.T) {
	if *standinFolder == "" {
		t.Skip("for people who try a bot, with -standin")
	}
	if err := playStandin(*standinFolder, *standinBot); err != nil {
		t.Error(err)
	}
}

// playStandin plays games with a bot that is not there yet.
func playStandin(folder, bot string) error {
	site := abstractplaytest.NewSite(bot)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { fmt.Fprintln(os.Stderr, "standin:", http.Serve(l, site)) }()
	if err := writeStandin(folder, site, "http://"+l.Addr().String()); err != nil {
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

// writeStandin writes the settings for a bot at a site with an address.
func writeStandin(folder string, site *abstractplaytest.Site, address string) error {
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
	in := func(name string) string { return filepath.Join(folder, name) }
	if err := os.WriteFile(in("standin.secret"), []byte(site.Secret+"\n"), 0o600); err != nil {
		return err
	}
	if err := os.RemoveAll(in("standin.key")); err != nil {
		return err
	}
	text := fmt.Appendf(nil, settings, site.ClientID, address+abstractplaytest.TokenPath,
		abstractplaytest.Scope, address+abstractplaytest.QueryPath, address+abstractplaytest.KeyPath)
	return os.WriteFile(in("standin.toml"), text, 0o600)
}
