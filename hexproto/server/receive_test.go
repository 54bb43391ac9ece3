package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/bots/matrixbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
	"gamebots/internal/testkit"
)

// TestReceive has clients send what they like: scripts, and random mixtures of two of them, in which lines are missing,
// come again or are of another client. A fuzzer would try one a second, as each starts servers with files several
// times.
//
// Each line of a script is a message: its first character is the client, from 0 to 4, the rest the frame. In a frame $0
// to $9 are the games and challenges that clients have heard of. Of the clients 3 has the account of 0, and 4 has not
// said hello. The line "r" starts the server again, "tN" lets N milliseconds pass.
//
// Whatever they send, nothing fails, each message is answered, and the games are the same after a restart.
func TestReceive(t *testing.T) {
	page, err := os.ReadFile("../../docs/hexproto.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, _, _ := strings.Cut(string(page), "## Messages of the server")
	var all, scripts []string
	for line := range strings.Lines(examples) {
		if strings.HasPrefix(line, "{") {
			all = append(all, "0"+line)
			scripts = append(scripts, "0"+line+"1"+line+"4"+line)
		}
	}
	scripts = append(scripts, strings.Join(all, ""),
		// A game of each kind, with all that can happen in it.
		`0{"type":"enter_lobby","id":1,"on":true}
0{"type":"challenge","id":2,"rules":"havannah","options":{"side":5},"clock":{"main":60000,"increment":0,"per_move":0},"rated":true,"seat":"first","tag":"a"}
1{"type":"accept","id":1,"challenge":"$0"}
2{"type":"watch","id":1,"game":"$1"}
0{"type":"play","id":3,"game":"$1","turn":0,"move":"a1"}
1{"type":"play","id":3,"game":"$1","turn":1,"move":"swap"}
r
0{"type":"play","id":3,"game":"$1","turn":2,"move":"b2"}
1{"type":"chat","id":3,"game":"$1","text":"hm"}
0{"type":"offer","id":4,"game":"$1","offer":"draw"}
1{"type":"offer","id":4,"game":"$1","offer":"draw","no":true}
1{"type":"analysis","id":5,"game":"$1","turn":3,"moves":[{"move":"c3","value":0.5}]}
t70000
0{"type":"challenge","id":2,"rules":"havannah","tag":"a"}
2{"type":"watch","id":9,"game":"$1"}
`, `0{"type":"challenge","id":2,"rules":"nim","options":{"heaps":[1,2],"misere":true},"to":"bob","seat":"second"}
1{"type":"accept","id":1,"challenge":"$0"}
1{"type":"play","id":2,"game":"$1","turn":0,"move":"pile:2, take:1;"}
3{"type":"play","id":2,"game":"$1","turn":1,"move":"pile:1, take:1;"}
1{"type":"offer","id":3,"game":"$1","offer":"takeback"}
3{"type":"offer","id":3,"game":"$1","offer":"takeback"}
r
1{"type":"resign","id":4,"game":"$1"}
2{"type":"analyse","id":5,"game":"$1","turn":1}
t100000
2{"type":"analyse","id":6,"game":"$1","turn":0}
`, `0{"type":"challenge","id":2,"rules":"matrix","options":{"game":"NFG 1 R \"x\" { \"a\" \"b\" } { 2 1 } 1e299 -1 1/3 5","rounds":2},"to":"bob","seat":"first"}
1{"type":"accept","id":1,"challenge":"$0"}
0{"type":"play","id":2,"game":"$1","turn":0,"move":"2"}
r
1{"type":"play","id":2,"game":"$1","turn":0,"move":"1"}
1{"type":"play","id":3,"game":"$1","turn":1,"move":"1"}
0{"type":"play","id":4,"game":"$1","turn":1,"move":"1"}
`, `2{"type":"challenge","id":1,"rules":"havannah","options":{"side":3},"to":"random","clock":{"main":1000,"increment":10,"per_move":5}}
2{"type":"play","id":2,"game":"$0","turn":0,"move":"a1"}
2{"type":"offer","id":3,"game":"$0","offer":"takeback"}
2{"type":"abort","id":4,"game":"$0"}
`, `4{"type":"hello","id":1,"version":1,"name":"dora","views":true}
4{"type":"hello","id":1,"version":1,"token":"gb_0"}
0{"type":"challenge","id":2,"rules":"nim","only":{"bots":true,"min_rating":-5},"private":true}
1{"type":"view_challenge","id":2,"challenge":"$0"}
1{"type":"decline","id":3,"challenge":"$0","reason":"later"}
0{"type":"cancel","id":3,"challenge":"$0"}
`)
	r, written, mixed := rand.New(rand.NewPCG(1, 2)), scripts, 20
	if testkit.SlowEnabled() {
		mixed = 80
	}
	for range mixed {
		const games = 5 // the last scripts
		left := [2][]string{}
		for k, script := range []string{written[r.IntN(len(written))], written[len(written)-1-r.IntN(games)]} {
			left[k] = slices.Collect(strings.Lines(script))
		}
		script := ""
		for len(left[0])+len(left[1]) > 0 {
			k := r.IntN(2)
			if len(left[k]) == 0 {
				continue
			}
			line := left[k][0]
			if r.IntN(5) > 0 {
				left[k] = left[k][1:] // else it comes again
			}
			if r.IntN(5) == 0 && line[1] == '{' {
				line = strconv.Itoa(r.IntN(5)) + line[1:]
			}
			if r.IntN(10) > 0 {
				script += line
			}
		}
		scripts = append(scripts, script)
	}
	for i, script := range scripts {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			for _, memory := range []int64{0, 60_000} { // with the second some games sleep
				synctest.Test(t, func(t *testing.T) { replay(t, script, memory) })
			}
		})
	}
}

// replay sends a script to a server, whose games have some memory.
func replay(t *testing.T, script string, memory int64) {
	p := &scripted{T: t, folder: t.TempDir(), memory: memory}
	p.start()
	defer func() { p.end() }()
	lines := slices.Collect(strings.Lines(script))
	for _, line := range lines[:min(len(lines), 60)] {
		line = strings.TrimSuffix(line, "\n")
		switch command := line[0]; {
		case command == 'r':
			p.restart()
		case command == 't':
			ms, err := strconv.Atoi(line[1:])
			if err == nil && ms > 0 && ms < 200_000 {
				time.Sleep(time.Duration(ms) * time.Millisecond)
			}
		case command >= '0' && command <= '4':
			p.send(int(command-'0'), []byte(line[1:]))
		}
	}
	p.restart()
}

// scripted is a server with clients that have no network.
type scripted struct {
	*testing.T
	folder string
	memory int64
	s      *Server
	conns  [5]*conn
	tokens [3]string
	ids    []string // ids of games and challenges
}

func (p *scripted) start() {
	p.Helper()
	var err error
	p.s, err = New(Config{
		Database: filepath.Join(p.folder, "games.db"), Sync: database.SyncNormal, Open: true, Loopback: true,
		GameMemory: p.memory,
		Rules:      []game.Rules{boards.Havannah{}, boards.Nim{}, matrixbot.Rules},
		Bots: []engines.Bot{
			{Name: "random", Rules: []string{boards.HavannahName}, Bot: havannahbot.Bot(havannahbot.Random{})},
		},
		Log: slog.New(failing{slog.DiscardHandler, p.T}),
	})
	if err != nil {
		p.Fatal(err)
	}
	for i := range p.conns {
		ctx, cancel := context.WithCancel(p.s.ctx)
		_ = cancel // with the server's
		p.conns[i] = &conn{
			s: p.s, ctx: ctx, address: "127.0.0.1", watches: map[tableRef]bool{}, wake: make(chan struct{}, 1),
			place: p.s.connections.Open("127.0.0.1", nil),
		}
	}
	for i, name := range []string{"ada", "bob", "eve", "ada"} {
		hello := &wire.Hello{Version: wire.Version, Name: name, Views: i == 1}
		if token := p.tokens[i%3]; token != "" {
			hello = &wire.Hello{Version: wire.Version, Token: token}
		}
		p.s.receive(p.conns[i], 1, hello, time.Now())
		answer := p.hear(i)[0].message
		welcome, ok := answer.(*wire.Welcome)
		if !ok {
			p.Fatalf("%s is not welcome: %+v", name, answer)
		}
		if welcome.Token != "" {
			p.tokens[i] = welcome.Token
		}
	}
}

func (p *scripted) end() {
	p.Helper()
	for _, c := range p.conns {
		p.s.disconnected(c)
	}
	if err := p.s.Close(); err != nil {
		p.Error(err)
	}
}

// send sends a frame of a client and waits for the answer.
func (p *scripted) send(client int, frame []byte) {
	p.Helper()
	for i, id := range p.ids[:min(len(p.ids), 10)] {
		frame = bytes.ReplaceAll(frame, fmt.Appendf(nil, "$%d", i), []byte(id))
	}
	id, m, err := wire.FromClient.Decode(frame)
	if err != nil {
		return
	}
	c := p.conns[client]
	if parallel.Get(&c.queue, func(q *queue) bool { return q.closing != nil }) {
		return
	}
	p.s.receive(c, id, m, time.Now())
	synctest.Wait()
	answered := id == 0
	for _, heard := range p.hear(client) {
		answered = answered || heard.id == id
		if e, ok := heard.message.(*wire.Error); ok && e.Code == wire.Internal {
			p.Errorf("%s is answered by %v", frame, e)
		}
	}
	if !answered {
		p.Errorf("%s is not answered", frame)
	}
	for other := range p.conns {
		p.hear(other)
	}
}

type heard struct {
	id      uint64
	message wire.Message
}

// hear returns what a client was sent, once all of it is stored.
func (p *scripted) hear(client int) (all []heard) {
	p.Helper()
	stored := make(chan bool)
	p.s.locked(func(tx *transaction) { tx.after = append(tx.after, func() { close(stored) }) })
	<-stored
	for {
		f, _ := p.conns[client].next()
		if f == nil {
			return all
		}
		p.s.queues.drop(f)
		id, m, err := wire.FromServer.Decode(f.text)
		if err != nil {
			p.Fatalf("the server sends %s: %v", f.text, err)
		}
		all = append(all, heard{id, m})
		if ack, ok := m.(*wire.Ack); ok {
			p.know(ack.Challenge)
			p.know(ack.Game)
		}
	}
}

func (p *scripted) know(id string) {
	if id != "" && !slices.Contains(p.ids, id) {
		p.ids = append(p.ids, id)
	}
}

// restart starts the server again and compares the games.
func (p *scripted) restart() {
	p.Helper()
	synctest.Wait()
	p.end()
	before := p.games()
	p.start()
	after := p.games()
	for id, state := range before {
		// A bot may have moved meanwhile.
		if !strings.HasPrefix(after[id], state) && !strings.Contains(state, `"random"`) {
			p.Errorf("game %s was\n%s, and is\n%s", id, state, after[id])
		}
	}
}

// games describes the running games.
func (p *scripted) games() map[string]string {
	ids := parallel.Get(&p.s.state, func(st *state) []string { return slices.Collect(maps.Keys(st.games.tables)) })
	all := map[string]string{}
	for _, id := range ids {
		p.s.awake(nil, withID(id), func(tx *transaction) {
			t := tx.games.tables[id]
			if t == nil || t.result != nil {
				return
			}
			text, err := json.Marshal([]any{
				t.seats[0].name, t.seats[1].name, t.rulesName, t.options.whole,
				t.moves, t.pending, t.turn, t.rated, t.tag,
			})
			if err != nil {
				p.Error(err)
			}
			all[id] = string(text)
		})
	}
	return all
}

// failing is a log whose errors fail a test.
type failing struct {
	slog.Handler
	*testing.T
}

func (h failing) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

func (h failing) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool { text += " " + a.String(); return true })
	h.T.Error(text)
	return nil
}
