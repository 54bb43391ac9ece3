package mit

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/acpc"
	"gamebots/bots/poker"
	"gamebots/configs"
)

func game(t testing.TB) *acpc.Game {
	t.Helper()
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func opponent(t testing.TB, kind string, seed uint64) acpc.Player {
	t.Helper()
	p, err := poker.NewOpponent(kind, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The client plays whole matches at the engine: every answer can be read and is legal, every
// round can be followed, and its awards are those of the cards.
func TestMatches(t *testing.T) {
	g := game(t)
	for _, bounty := range []bool{false, true} {
		for _, kinds := range [][2]string{
			{"random", "random"}, {"call", "raise"}, {"raise", "raise"}, {"fold", "random"},
		} {
			t.Run(fmt.Sprintf("%v bounty %t", kinds, bounty), func(t *testing.T) {
				var conns [2]net.Conn
				won := [2]int{}
				ended := make(chan error, 2)
				for i, kind := range kinds {
					client, engine := net.Pipe()
					conns[i] = engine
					c := Client{Game: g, Player: opponent(t, kind, uint64(i)), Clock: NewClock(200)}
					c.OnFault = func(round int, fault error) { t.Errorf("round %d: %v", round, fault) }
					c.OnRound = func(awarded int) { won[i] += awarded }
					go func() { ended <- c.Play(t.Context(), client) }()
				}
				e := Engine{Rounds: 200, Clock: time.Hour, Bounty: bounty, Seed: 3}
				sides, err := e.Play(t.Context(), conns)
				if err != nil {
					t.Fatal(err)
				}
				for i, s := range sides {
					if err := <-ended; err != nil {
						t.Error(err)
					}
					if s.Illegal != 0 || s.Misformatted != 0 || s.Gone != nil || s.Chips != won[i] {
						t.Errorf("%+v, and the client counts %d", s, won[i])
					}
				}
				if sides[0].Chips != -sides[1].Chips || sides[0].Chips == 0 {
					t.Errorf("chips %d and %d", sides[0].Chips, sides[1].Chips)
				}
			})
		}
	}
}

// The dialogue that "package mit" checks a folder with is what the engine says. With -update it is written.
func TestRecording(t *testing.T) {
	const file = "../../submission/mit.txt"
	var said []string
	for seed, kind := range []string{"random", "raise", "random", "call", "random"} {
		e := Engine{Rounds: 12, Clock: time.Hour, Seed: uint64(seed)}
		e.OnAsk = func(choices string, clauses []string) {
			said = append(said, choices+" "+strings.Join(clauses, " ")+"\n")
		}
		var conns [2]net.Conn
		for i, kind := range []string{"call", kind} { // every strategy knows calls
			client, engine := net.Pipe()
			conns[i] = engine
			c := Client{Game: game(t), Player: opponent(t, kind, uint64(seed))}
			go func() { _ = c.Play(t.Context(), client) }()
		}
		if _, err := e.Play(t.Context(), conns); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(said, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != strings.Join(said, "") {
		t.Errorf("%s is not what the engine says: %v", file, err)
	}
}

var update = flag.Bool("update", false, "write the dialogue")

// scripted plays actions in the notation of the ACPC, one after the other.
type scripted struct {
	actions []string
	seen    []string // the states
}

func (s *scripted) Act(_ context.Context, m *acpc.MatchState) (acpc.Action, error) {
	s.seen = append(s.seen, string(m.Append(nil)))
	if len(s.actions) == 0 {
		return acpc.Action{}, errors.New("no action is left")
	}
	a, _, err := m.Game().ParseAction(s.actions[0])
	s.actions = s.actions[1:]
	return a, err
}

// dialogue sends lines to a client, and returns its answers.
func dialogue(t *testing.T, c *Client, lines ...string) (answers []string, err error) {
	t.Helper()
	client, engine := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- c.Play(t.Context(), client) }()
	read := bufio.NewReader(engine)
	for _, line := range lines {
		if _, err := io.WriteString(engine, line+"\n"); err != nil {
			break
		}
		answer, err := read.ReadString('\n')
		if err != nil {
			break
		}
		answers = append(answers, strings.TrimSpace(answer))
	}
	engine.Close()
	return answers, <-ended
}

// Answers and states of the lines that an engine sends.
func TestDialogue(t *testing.T) {
	for _, test := range []struct {
		name           string
		actions, lines []string
		want           []string
		states         []string
		faults         int
	}{
		{
			name:    "a raise is rounded to chips of the engine, and counts the round of betting",
			actions: []string{"c", "r310"},
			lines:   []string{"T30.000 P0 HAs,Kd", "T29.9 C K B2c,3d,Th K", "T29.8 R4 F D2"},
			want:    []string{"C", "R4", "K"},
			states:  []string{"MATCHSTATE:1:0::|AsKd", "MATCHSTATE:1:0:cc/c:|AsKd/2c3dTh"},
		},
		{
			name:    "after an all-in the engine is answered K until the end",
			actions: []string{"c"},
			lines: []string{"T9 P1 HAs,Kd R400", "T9 C B2c,3d,Th", "T9 K K B2c,3d,Th,4s", "T9 K K B2c,3d,Th,4s,5s",
				"T9 K K OQc,Qh D400"},
			want:   []string{"C", "K", "K", "K", "K"},
			states: []string{"MATCHSTATE:0:0:r20000:AsKd|"},
			faults: 0,
		},
		{
			name:    "a round that contradicts itself is checked and folded, and the next one is played",
			actions: []string{"c", "f"},
			lines: []string{"T9 P0 HAs,Kd", "T9 C K B2c,3d,As K", "T9 K B2c,3d,As,5d K", "T9 F D-2",
				"T9 P1 H2s,2d R9"},
			want:   []string{"C", "K", "K", "K", "F"},
			states: []string{"MATCHSTATE:1:0::|AsKd", "MATCHSTATE:0:1:r450:2s2d|"},
			faults: 1,
		},
		{
			name:    "an answer that is replaced is a fault",
			actions: []string{"c"},
			lines:   []string{"T9 P0 HAs,Kd", "T9 F D-1"},
			want:    []string{"C", "K"},
			states:  []string{"MATCHSTATE:1:0::|AsKd"},
			faults:  1,
		},
		{
			name:    "chips that the cards do not win are a fault",
			actions: []string{"f"},
			lines:   []string{"T9 P0 HAs,Kd", "T9 F D-2"},
			want:    []string{"F", "K"},
			states:  []string{"MATCHSTATE:1:0::|AsKd"},
			faults:  1,
		},
		{
			name: "a bounty makes a pot larger", actions: []string{"r600", "f"},
			lines:  []string{"T9 P0 HAs,Kd GK", "T9 R12 F D13 Y1#", "T9 P1 H2s,2d GK R5", "T9 F D-13 Y#1"},
			want:   []string{"R12", "K", "F", "K"},
			states: []string{"MATCHSTATE:1:0::|AsKd", "MATCHSTATE:0:1:r250:2s2d|"},
		},
		{
			name:  "2025 lets a player fold without a bet",
			lines: []string{"T9 P1 HAs,Kd G2 C K B2c,3d,Th F D2 Y0#", "T9 P0 HAs,Ks"},
			want:  []string{"K", "C"}, actions: []string{"c"}, states: []string{"MATCHSTATE:1:1::|AsKs"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			player := &scripted{actions: test.actions}
			faults := 0
			c := Client{Game: game(t), Player: player, OnFault: func(round int, fault error) {
				faults++
				t.Logf("round %d: %v", round, fault)
			}}
			answers, err := dialogue(t, &c, append(test.lines, "Q")...)
			if err != nil || !slices.Equal(answers, test.want) || !slices.Equal(player.seen, test.states) ||
				faults != test.faults {
				t.Errorf("answers %q, want %q, of the states %q; %d faults: %v", answers, test.want, player.seen,
					faults, err)
			}
		})
	}
}

// Years with other rules are known by what their engines send.
func TestVariants(t *testing.T) {
	for year, line := range map[int]string{
		2021: "T9 P0 HAs,Kd,Qs,2d,4s,5s 1A;2A;3A",
		2022: "T9 P0 HAs,Kd U2c,Kd",
		2023: "T9 P0 HAs,Kd B2c,3d,4h,5s,6c,7d",
		2024: "T9 P0 HAs,Kd A3",
		2026: "T9 P0 HAs,Kd,Qs",
	} {
		c := Client{Game: game(t), Player: opponent(t, "call", 1)}
		_, err := dialogue(t, &c, line)
		var other *VariantError
		if !errors.As(err, &other) || other.Year != year {
			t.Errorf("%s: %v", line, err)
		}
	}
	if err := CheckGame(game(t)); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"holdem-limit-2p", "holdem-nolimit-6p", "leduc-nolimit"} {
		other, err := configs.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		if CheckGame(other) == nil {
			t.Errorf("%s is taken for the game of the contest", name)
		}
	}
}

// Whatever is sent has an answer or ends the match with an error.
func FuzzLines(f *testing.F) {
	f.Add("T30 P0 HAs,Kd\nT29 C K B2c,3d,Th K\nT29 R4 F D2")
	f.Add("T9 P1 HAs,Kd R400\nT9 C B2c,3d,Th\nT9 K K B2c,3d,Th,4s,5s\nT9 OQc,Qh D400 Y1#\nQ")
	f.Add("T9 P0 HAs,Kd GK\nT9 F D-1 Y#0\nT9 P1 H2s,2d GK R4")
	f.Add("P0 D0")
	g := game(f)
	f.Fuzz(func(t *testing.T, text string) {
		m := match{Client: &Client{Game: g, Player: opponent(t, "random", 1), Clock: NewClock(10)}, unit: 50}
		for line := range strings.SplitSeq(text, "\n") {
			if m.receive(strings.Fields(line), time.Time{}) != nil || m.done {
				return
			}
			answer, err := m.answer(t.Context())
			if err != nil || !strings.ContainsRune("FCKR", rune(answer[0])) {
				t.Fatalf("answer %q: %v", answer, err)
			}
		}
	})
}

// The clock gives the decisions of large pots more, never more than it has, and
// tries none again that was too short.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := game(t)
		state := func(betting string) *acpc.State {
			s, err := g.ParseBetting(betting)
			if err != nil {
				t.Fatal(err)
			}
			return &s
		}
		small, large := state("cc/cc/"), state("r9000c/cc/")
		c := NewClock(1000)
		c.set(30*time.Second, time.Now())
		c.round = 1
		first := c.Allow(large)
		if first <= 0 || first > 30*time.Millisecond {
			t.Errorf("%v in the first round", first)
		}
		c.round = 101 // without having spent anything
		c.set(30*time.Second, time.Now())
		if few, many := c.Allow(small), c.Allow(large); few <= 0 || many < 3*few || many > 3*time.Second {
			t.Errorf("%v for a small pot, %v for a large one", few, many)
		}
		given := c.Allow(large)
		c.Decided(&poker.Decision{Round: 2, Late: true})
		if c.Allow(large) != 0 {
			t.Error("what was too short is tried again")
		}
		c.set(60*time.Second, time.Now())
		if again := c.Allow(large); again <= given {
			t.Errorf("%v with more time, and %v was too short", again, given)
		}
		time.Sleep(59 * time.Second) // since the line arrived
		if late := c.Allow(large); late != 0 {
			t.Errorf("%v of a clock that is used up", late)
		}
	})
}
