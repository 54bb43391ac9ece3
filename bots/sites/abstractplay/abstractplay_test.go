package abstractplay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/bots/sites"
	"gamebots/bots/sites/abstractplay/abstractplaytest"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
)

// pipe is a listener whose connections need no network, so that time can be a test's.
type pipe struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

func newPipe() *pipe { return &pipe{connections: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipe) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipe) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipe) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.connections <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// direct brings the bot's requests to the site without a network.
type direct struct{ http.Handler }

func (d direct) RoundTrip(r *http.Request) (response *http.Response, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the connection was cut")
		}
	}()
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), r.Context().Err()
}

// setup is a bot and a site.
type setup struct {
	t        *testing.T
	site     *abstractplaytest.Site
	settings configs.AbstractPlay
	engine   hexproto.Bot
	log      bytes.Buffer
	stop     func() error // stops the bot that runs
}

// straight is a player that plays the first free cell: a row from one corner to the next, which wins in as few moves as
// the board's side if nobody comes in between.
type straight struct{}

var straightBot = hexproto.PlayerBot{Rules: boards.Havannah{}, Player: straight{}}

func (straight) Open(context.Context, hexproto.Position) (hexproto.Decider, error) {
	return straight{}, nil
}

func (straight) Decide(_ context.Context, at hexproto.Position, _ time.Duration) (hexproto.Decision, error) {
	board := boards.HavannahBoard(at.Game)
	return hexproto.Decision{Move: board.Grid().Format(board.AppendMoves(nil)[0])}, nil
}

func (straight) Close() error { return nil }

// backwards chooses the last free cell: the opposite row.
func backwards(board *havannah.Board) havannah.Move {
	moves := board.AppendMoves(nil)
	return slices.Max(moves)
}

// newSetup returns a bot that plays straight, against an opponent that plays backwards. It does not run yet.
func newSetup(t *testing.T) *setup {
	s := &setup{t: t, site: abstractplaytest.NewSite("http://bot.test/hook"), engine: straightBot}
	s.site.Choose = backwards
	s.settings = configs.DefaultAbstractPlay()
	s.settings.Webhook.State = filepath.Join(t.TempDir(), "state.json")
	s.settings.Site.ClientID, s.settings.Site.Scope = s.site.ClientID, abstractplaytest.Scope
	s.settings.Site.TokenURL = "https://site.test" + abstractplaytest.TokenPath
	s.settings.Site.QueryURL = "https://site.test" + abstractplaytest.QueryPath
	s.settings.Accept.Games, s.settings.Accept.PerPlayer = 100, 100
	return s
}

// start starts the bot. The test stops it at its end if it still runs.
func (s *setup) start() {
	s.t.Helper()
	secret, err := sites.NewKey(s.site.Secret)
	if err != nil {
		s.t.Fatal(err)
	}
	site := NewSite(s.settings.Site, secret, "test")
	client := site.Client
	site.Client = func(address string, key sites.Key) *sites.Client {
		c := client(address, key)
		c.Transport = direct{s.site}
		return c
	}
	key, err := sites.ParsePublicKey(s.site.PublicKey())
	if err != nil {
		s.t.Fatal(err)
	}
	l := newPipe()
	transport := &http.Transport{DialContext: l.dial, DisableKeepAlives: true}
	s.site.Client = &http.Client{Transport: transport}
	ctx, cancel := context.WithCancel(context.Background())
	bot := &Bot{
		Settings: s.settings, Site: site, Key: key, Engine: s.engine,
		Log: slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	ended := make(chan error, 1)
	go func() { ended <- bot.Run(ctx, l) }()
	s.stop = sync.OnceValue(func() error {
		cancel()
		err := <-ended
		time.Sleep(time.Second) // until the server has closed its connections
		return err
	})
	s.t.Cleanup(func() { _ = s.stop() })
}

// post sends a message that the site has signed, and wants a status and a part of the text.
func (s *setup) post(message any, status int, text string) {
	s.t.Helper()
	got, answer, err := s.site.Post(message)
	if err != nil || got != status || !strings.Contains(answer, text) {
		s.t.Errorf("%v: %d %s %v, want %d with %q", message, got, answer, err, status, text)
	}
}

// play begins a game.
func (s *setup) play(seat int, pie bool, variants ...string) *abstractplaytest.Game {
	s.t.Helper()
	g, err := s.site.Play(seat, pie, 1, variants...)
	if err != nil {
		s.t.Fatal(err)
	}
	return g
}

var allVariants = [][]string{{"size-4"}, {"size-6"}, nil, {"size-10"}}

// Games on all boards are played to their ends, from both seats, many at once. Who has the first move wins the race; if
// the opponent takes over the bot's first stone, that is the opponent. No move is refused, and one token is enough.
func TestGames(t *testing.T) {
	for _, plain := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newSetup(t)
			s.site.Plain = plain
			s.site.OnAsked = func(g *abstractplaytest.Game, status int) {
				if status != http.StatusAccepted {
					t.Errorf("%s: asked, and the answer is %d", g.ID, status)
				}
			}
			s.start()
			games := map[*abstractplaytest.Game]string{}
			for _, variants := range allVariants {
				for i, want := range []string{"won", "lost", "lost"} {
					s.post(abstractplaytest.Challenge("ann", 72, variants...), 200, "accepted")
					games[s.play(i%2, i == 2, variants...)] = want
				}
			}
			for g, want := range games {
				if <-g.Done; g.Result != want {
					t.Errorf("%v, seat %d: %s, want %s", g.Variants, g.Bot, g.Result, want)
				}
			}
			if len(s.site.Refused) > 0 || s.site.Tokens != 1 {
				t.Errorf("%d tokens, refused: %q", s.site.Tokens, s.site.Refused)
			}
		})
	}
}

// A request that the site has not signed, or not now, or that has come before, is refused, and changes nothing.
func TestSignatures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		s.start()
		other := abstractplaytest.NewSite("")
		body, err := json.Marshal(abstractplaytest.Challenge("ann", 72))
		if err != nil {
			t.Fatal(err)
		}
		send := func(name string, body []byte, h http.Header, want int) {
			t.Helper()
			if got, text, err := s.site.Send(http.MethodPost, body, h); err != nil || got != want {
				t.Errorf("%s: %d %s %v, want %d", name, got, text, err, want)
			}
		}
		without := func(header, value string) http.Header {
			h := s.site.Sign(body, time.Now(), "n1")
			h.Set(header, value)
			return h
		}
		send("unsigned", body, http.Header{}, 401)
		send("forged", body, other.Sign(body, time.Now(), "n1"), 401)
		send("changed", append([]byte(" "), body...), s.site.Sign(body, time.Now(), "n1"), 401)
		send("old", body, s.site.Sign(body, time.Now().Add(-301*time.Second), "n1"), 401)
		send("from the future", body, s.site.Sign(body, time.Now().Add(301*time.Second), "n1"), 401)
		send("other time", body, without("X-Signature-Timestamp", fmt.Sprint(time.Now().Unix()-1)), 401)
		send("no time", body, without("X-Signature-Timestamp", "now"), 401)
		send("huge time", body, without("X-Signature-Timestamp", "9223372036854775807"), 401)
		send("other nonce", body, without("X-Signature-Nonce", "n2"), 401)
		send("no nonce", body, without("X-Signature-Nonce", ""), 401)
		send("long nonce", body, s.site.Sign(body, time.Now(), strings.Repeat("n", 200)), 401)
		send("no base64", body, without("X-Signature", "!"), 401)
		send("short", body, without("X-Signature", "AAAA"), 401)
		signed := s.site.Sign(body, time.Now().Add(-299*time.Second), "n1")
		send("right", body, signed, 200)
		send("replayed", body, signed, 401)
		send("same nonce", body, s.site.Sign(body, time.Now(), "n1"), 401)
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
		s.start()
		send("replayed after a restart", body, signed, 401)
		time.Sleep(2 * time.Second)
		send("too old by now", body, signed, 401)
		send("another", body, s.site.Sign(body, time.Now(), "n3"), 200)
		state, err := readState(s.settings.Webhook.State)
		if err != nil || len(state.Challenges) != 2 || len(state.Nonces) != 1 {
			t.Errorf("%v challenges, nonces %v: %v", state.Challenges, state.Nonces, err)
		}
	})
}

// What is signed and yet no request of the site gets an answer that says what is wrong.
func TestStrangeRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		s.start()
		send := func(method, body string, want int, part string) {
			t.Helper()
			h := s.site.Sign([]byte(body), time.Now(), fmt.Sprint(time.Now().UnixNano(), len(body)))
			got, text, err := s.site.Send(method, []byte(body), h)
			if err != nil || got != want || !strings.Contains(text, part) {
				t.Errorf("%s %.60s: %d %s %v, want %d with %q", method, body, got, text, err, want, part)
			}
			time.Sleep(time.Millisecond)
		}
		send(http.MethodGet, "", 200, `{"operational":true}`)
		send(http.MethodPut, "{}", 405, "GET is a ping")
		for body, part := range map[string]string{
			"":                          "unexpected end",
			"null":                      "unknown verb",
			"[]":                        "cannot unmarshal array",
			"{":                         "unexpected end",
			`{"verb": "dance"}`:         `unknown verb \"dance\"`,
			`{"verb": 7}`:               "cannot unmarshal number",
			strings.Repeat("[", 60_000): "exceeded max depth",
		} {
			send(http.MethodPost, body, 400, part)
		}
		send(http.MethodPost, strings.Repeat(" ", 1<<16+1), 413, "more than 65536 bytes")
		game := func(change string, value any) map[string]any {
			m := map[string]any{"verb": "move", "metaGame": "havannah", "variants": []string{"size-4"}, "gameid": "g",
				"clockCurr": 72, "numPlayers": 2, "moves": [][]string{{"d4", "a1"}, {"b2"}}}
			m[change] = value
			return m
		}
		for _, c := range []struct {
			change string
			value  any
			want   string
		}{
			{"metaGame", "abande", "this bot plays havannah"},
			{"variants", []string{"size-5"}, "size-5"},
			{"variants", []string{"size-4", "size-6"}, `size-4\" \"size-6`},
			{"variants", "size-4", "cannot unmarshal string"},
			{"gameid", "", "want a gameid"},
			{"gameid", strings.Repeat("g", 129), "want a gameid"},
			{"gameid", nil, "want a gameid"},
			{"numPlayers", 3, "2 for numPlayers"},
			{"numPlayers", "2", "cannot unmarshal"},
			{"clockCurr", "72", "cannot unmarshal"},
			{"moves", [][]string{{"d4", "d4"}}, "move 2"},
			{"moves", [][]string{{"a5"}}, "move 1"},
			{"moves", [][]string{{"d4", "swap"}}, "no swap"},
			{"moves", [][]string{{"swap"}}, "move 1"},
			{"moves", [][]string{{"d4 a1"}}, "move 1"},
			{"moves", [][]string{{""}}, "move 1"},
			{"moves", []string{"d4"}, "cannot unmarshal"},
			{"moves", [][]string{{"a1", "g1"}, {"a2", "g2"}, {"a3", "g3"}, {"a4"}}, "they end the game"},
		} {
			s.post(game(c.change, c.value), 400, c.want)
		}
		s.post(map[string]any{"verb": "move"}, 400, "this bot plays havannah")
		if state, err := readState(s.settings.Webhook.State); err != nil || len(state.Games)+len(state.Challenges) > 0 {
			t.Errorf("%v: %v", state.Games, err)
		}
	})
}
