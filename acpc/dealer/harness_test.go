package dealer

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/client"
)

// kuhn is Kuhn poker with blinds for antes.
func kuhn() *acpc.Game {
	return &acpc.Game{
		Name: "kuhn", Betting: acpc.Limit, NumPlayers: 2, NumRounds: 1,
		Stack: [acpc.MaxPlayers]int32{2, 2}, Blind: [acpc.MaxPlayers]int32{1, 1},
		RaiseSize: [acpc.MaxRounds]int32{1}, MaxRaises: [acpc.MaxRounds]uint8{1},
		NumSuits: 1, NumRanks: 3, NumHoleCards: 1,
	}
}

// leduc is no-limit Leduc hold'em with blinds of 50 and 100.
func leduc() *acpc.Game {
	return &acpc.Game{
		Name: "leduc", Betting: acpc.NoLimit, NumPlayers: 2, NumRounds: 2,
		Stack: [acpc.MaxPlayers]int32{1200, 1200}, Blind: [acpc.MaxPlayers]int32{50, 100},
		MaxRaises: [acpc.MaxRounds]uint8{255, 255},
		NumSuits:  2, NumRanks: 3, NumHoleCards: 1, NumBoardCards: [acpc.MaxRounds]uint8{0, 1},
	}
}

// ten is a game of as many players as there can be.
func ten() *acpc.Game {
	g := leduc()
	g.Name, g.NumPlayers, g.NumRanks, g.NumSuits = "ten", acpc.MaxPlayers, 13, 4
	for p := range g.NumPlayers {
		g.Stack[p] = 1200
	}
	return g
}

func newMatch(g *acpc.Game, hands uint32) *Match {
	return &Match{
		Name: "test", Game: g, GameFile: g.Name + ".game", Hands: hands, Seed: 42,
		Names:  strings.Fields("Alice Bob Carol Dave Eve Frank Grace Heidi Ivan Judy")[:g.NumPlayers],
		Limits: DefaultLimits,
	}
}

// peer is the other end of a seat's connection.
type peer func(conn net.Conn)

type served struct {
	score  []float64
	err    error
	log    string
	errors string // warnings and errors
}

// serve plays a match against peers over pipes and waits for all of them.
func serve(ctx context.Context, m *Match, peers ...peer) served {
	var log, messages bytes.Buffer
	conns, wait := connect(peers)
	score, err := m.Serve(ctx, conns, Record{Log: &log, Messages: &messages, Quiet: true})
	wait()
	return served{score, err, log.String(), complaints(messages.String())}
}

// complaints returns a quiet dealer's output without its header and score.
func complaints(messages string) string {
	var b strings.Builder
	for line := range strings.Lines(messages) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "SCORE:") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// connect starts the peers and returns the dealer's ends of their pipes.
func connect(peers []peer) (conns []net.Conn, wait func()) {
	var wg sync.WaitGroup
	for _, p := range peers {
		ours, theirs := net.Pipe()
		conns = append(conns, ours)
		wg.Go(func() {
			defer theirs.Close()
			p(theirs)
		})
	}
	return conns, wg.Wait
}

// answering returns a peer that states the version and answers its turns with
// the given texts, in which {} stands for the state; after them it calls.
func answering(g *acpc.Game, texts ...string) peer {
	return func(conn net.Conn) {
		io.WriteString(conn, "VERSION:2.0.0\r\n")
		onTurn(g, conn, func(state string) bool {
			text := "{}:c\r\n"
			if len(texts) > 0 {
				text, texts = texts[0], texts[1:]
			}
			_, err := io.WriteString(conn, strings.ReplaceAll(text, "{}", state))
			return err == nil
		})
		io.Copy(io.Discard, conn)
	}
}

// onTurn reads states and calls act on the peer's turns until it returns false
// or the connection ends.
func onTurn(g *acpc.Game, conn net.Conn, act func(state string) bool) {
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		m, _, err := g.ParseMatchState(lines.Text())
		if err == nil && m.Actor() == m.Viewer && !act(lines.Text()) {
			return
		}
	}
}

// betting returns the betting strings of a log's hands.
func betting(log string) []string {
	var all []string
	for line := range strings.Lines(log) {
		if fields := strings.Split(line, ":"); fields[0] == "STATE" {
			all = append(all, fields[2])
		}
	}
	return all
}

// bot is a Player made of a function.
type bot func(m *acpc.MatchState) (acpc.Action, error)

func (b bot) Act(_ context.Context, m *acpc.MatchState) (acpc.Action, error) { return b(m) }

func call(*acpc.MatchState) (acpc.Action, error) { return acpc.Action{Type: acpc.Call}, nil }

func mustBe(t *testing.T, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// playing returns a peer that plays with our own client.
func playing(g *acpc.Game, p acpc.Player) peer {
	return func(conn net.Conn) {
		c := client.Client{Game: g, Player: p}
		c.Play(context.Background(), conn)
	}
}

// noted is a connection of the dealer that records both directions.
type noted struct {
	net.Conn
	notes io.Writer
	name  string
}

func (c noted) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		fmt.Fprintf(c.notes, "from %s: %s\n", c.name, bytes.TrimSpace(p[:n]))
	}
	return n, err
}

func (c noted) Write(p []byte) (int, error) {
	fmt.Fprintf(c.notes, "to %s: %s\n", c.name, bytes.TrimSpace(p))
	return c.Conn.Write(p)
}
