package tty

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/poker"
	"gamebots/configs"
)

// match plays hands of a game against a bot that calls, with typed lines, and returns what
// the person sees, each hand's betting, and the error.
func match(t *testing.T, game string, typed ...string) (seen string, hands []string, err error) {
	t.Helper()
	g, err := configs.Game(game)
	if err != nil {
		t.Fatal(err)
	}
	m := dealer.Match{Game: g, Hands: 100, Seed: 1, Names: []string{"Ann", "Bot"}}
	var out strings.Builder
	person := &Person{Out: &out, ReadLine: lines(typed)}
	person.Name = func(hand uint32, position int) string { return m.Names[m.Seat(hand, position)] }
	bot, err := poker.NewOpponent("call", 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Play(t.Context(), []acpc.Player{person, bot}, func(s *acpc.State) error {
		person.HandOver(s, m.Position(s.HandID, 0))
		hands = append(hands, string(s.AppendBetting(nil)))
		return nil
	})
	return out.String(), hands, err
}

// A bet that nobody called is in the pot while it can be called, and goes back at the end.
func TestUncalledBet(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	s := g.NewState(0)
	acpc.NewShuffler(1).Deal(&s)
	ann := &Person{Name: func(uint32, int) string { return "Ann" }}
	for i, want := range []string{"pot 300\n", "pot 200\n"} {
		s.Apply([]acpc.Action{{Type: acpc.Raise, Size: 200}, {Type: acpc.Fold}}[i])
		var out strings.Builder
		ann.Out = &out
		ann.draw(&acpc.MatchState{State: s})
		if !strings.Contains(out.String(), want) {
			t.Errorf("after %d actions: %s", i+1, out.String())
		}
	}
}

// Who folds without a bet is told who wins.
func TestOthersWin(t *testing.T) {
	g, err := configs.Game("holdem-limit-3p")
	if err != nil {
		t.Fatal(err)
	}
	s := g.NewState(0)
	acpc.NewShuffler(1).Deal(&s)
	var out strings.Builder
	ann := &Person{Out: &out, Name: func(_ uint32, position int) string { return fmt.Sprint("p", position) }}
	for range 2 {
		s.Apply(acpc.Action{Type: acpc.Fold})
	}
	if ann.HandOver(&s, 2); !strings.HasSuffix(out.String(), "\np1 wins 5\n") {
		t.Error(out.String())
	}
}

// lines returns a function that reads typed lines.
func lines(typed []string) func() (string, bool) {
	return func() (string, bool) {
		if len(typed) == 0 {
			return "", false
		}
		line := typed[0]
		typed = typed[1:]
		return line, true
	}
}

func TestTypedActions(t *testing.T) {
	for _, test := range []struct {
		game  string
		typed []string
		want  string // the betting of the first hand
	}{
		{"leduc", []string{"c", "r"}, "cc/rc"},
		{"leduc", []string{"R", " k "}, "rc/cc"},
		{"leduc", []string{"f", "y", "", "r5", "a", "?", "c", "x"}, "cc/cc"}, // only the last two are legal
		{"holdem-nolimit-2p", []string{"½ pot", "b pot", "50%", "c"}, "cr200c/r600c/r1200c/cc"},
		{"leduc-nolimit", []string{"r", "r 3", "r 300", "a"}, "r400c/r1200c"},
		{"leduc-nolimit", []string{"c", "r 99", "r 1101", "r 200", "c", "c"}, "cc/r300c"},
		{"holdem-nolimit-2p", []string{"c", "r 99", "r 400", "a"}, "cc/r500c/r20000c"},
		{"holdem-nolimit-2p", []string{"r 199", "r 200", "c", "c", "c"}, "cr200c/cc/cc/cc"},
		{"leduc-nolimit", []string{"r99999999999", "r-1", "a"}, "r1200c"},
	} {
		seen, hands, err := match(t, test.game, test.typed...)
		if !errors.Is(err, ErrQuit) || len(hands) == 0 || !strings.HasPrefix(hands[0], test.want) {
			t.Errorf("%s, %q: betting %q, %v\n%s", test.game, test.typed, hands, err, seen)
		}
	}
}

func TestQuit(t *testing.T) {
	for _, typed := range [][]string{{"q"}, {"Quit"}, {"exit"}, nil} {
		if _, hands, err := match(t, "leduc", typed...); !errors.Is(err, ErrQuit) || len(hands) != 0 {
			t.Errorf("%q: %q, %v", typed, hands, err)
		}
	}
}

// The person sees its own cards and the board, and the other's cards at a showdown only.
func TestHiddenCards(t *testing.T) {
	seen, _, _ := match(t, "leduc", "c", "c")
	before, after, found := strings.Cut(seen, "hand 2")
	if !found {
		t.Fatal(seen)
	}
	decisions := before[:strings.LastIndex(before, "Ann: check")]
	if strings.Count(decisions, "░░") != 2 || strings.Count(decisions, "♠")+strings.Count(decisions, "♥") != 3 {
		t.Errorf("before the showdown:\n%s", decisions)
	}
	showdown := before[len(decisions):]
	if strings.Contains(showdown, "░░") || strings.Count(showdown, "♠")+strings.Count(showdown, "♥") != 3 {
		t.Errorf("at the showdown:\n%s", showdown)
	}
	if !strings.Contains(after, "Bot: check") {
		t.Errorf("in the second hand the bot acts first:\n%s", after)
	}
}

// A pot may be larger than a stack may be.
func TestLargePot(t *testing.T) {
	g, err := configs.Game("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	large := *g
	large.Betting = acpc.NoLimit
	s := large.NewState(0)
	acpc.NewShuffler(1).Deal(&s)
	s.Apply(acpc.Action{Type: acpc.Raise, Size: 2147483647})
	var out strings.Builder
	ann := &Person{Out: &out, Name: func(uint32, int) string { return "Ann" }}
	ann.draw(&acpc.MatchState{State: s})
	if !strings.Contains(out.String(), "pot 2147483648\n") {
		t.Error(out.String())
	}
	s.Apply(acpc.Action{Type: acpc.Call})
	ann.HandOver(&s, 0)
	ann.HandOver(&s, 1)
	for _, line := range []string{"you win 2147483647\n", "you lose 2147483647\n"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no %q in %s", line, &out)
		}
	}
}

// While a player thinks a line says so, which is gone when it has decided.
func TestThinking(t *testing.T) {
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	during := ""
	ctx, interrupt := context.WithCancel(t.Context())
	player := &Thinking{
		Out:  &out,
		Name: func(hand uint32, position int) string { return fmt.Sprintf("bot %d:%d", hand, position) },
		Player: playerFunc(func() (acpc.Action, error) {
			during = out.String()
			return acpc.Action{Type: acpc.Call}, ErrQuit
		}),
	}
	s := g.NewState(7)
	m := s.View(1)
	if a, err := player.Act(t.Context(), &m); a.Type != acpc.Call || err != ErrQuit {
		t.Errorf("played %v, %v", a, err)
	}
	if !strings.Contains(during, "bot 7:1 is thinking") || strings.Contains(during, "\n") {
		t.Errorf("while it thinks there is %q", during)
	}
	if after := strings.TrimPrefix(out.String(), during); after != "\r\x1b[K" {
		t.Errorf("then comes %q, which does not erase the line", after)
	}

	// A decision that takes too long is given up.
	stuck := make(chan bool)
	defer close(stuck)
	player.Player = playerFunc(func() (acpc.Action, error) { interrupt(); <-stuck; return acpc.Action{}, nil })
	if _, err := player.Act(ctx, &m); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

type playerFunc func() (acpc.Action, error)

func (f playerFunc) Act(context.Context, *acpc.MatchState) (acpc.Action, error) { return f() }
