package extensive

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"strings"
	"testing"

	"gamebots/solvers/nash/bimatrix"
)

// entry is a threat that is not credible: the entrant may stay out, or enter, where the
// incumbent may fight.
const entry = `EFG 2 R "entry" { "entrant" "incumbent" }
p "" 1 1 "" { "out" "in" } 0
t "" 1 "" { 0, 2 }
p "" 2 1 "" { "fight" "accommodate" } 0
t "" 2 "" { -1, -1 }
t "" 3 "" { 1, 1 }`

// pure returns the profile that takes one action of each set.
func pure(g *Game, actions ...int) Profile {
	s := make(Profile, len(g.Sets))
	for i := range g.Sets {
		if g.Sets[i].Player == Chance {
			continue
		}
		for a := range g.Sets[i].Actions {
			s[i] = append(s[i], big.NewRat(int64(btoi(a == actions[0])), 1))
		}
		actions = actions[1:]
	}
	return s
}

func btoi(x bool) int {
	if x {
		return 1
	}
	return 0
}

func sequencesOf(t *testing.T, g *Game) *Sequences {
	t.Helper()
	q, err := g.Sequences()
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// Gains from the start of the game, and in subgames.
func TestGains(t *testing.T) {
	third, rest := big.NewRat(1, 3), big.NewRat(2, 3)
	bluff := Profile{nil, {one, zero}, {rest, third}, {third, rest}} // king, Bob, queen
	sets := read(t, poker)
	for _, c := range []struct {
		name     string
		text     string
		profile  Profile
		subgames bool
		want     string
	}{
		{"poker", poker, bluff, false, "[0/1 0/1]"},
		{"poker, in its only subgames", poker, bluff, true, "[0/1 0/1]"},
		{"always raise, always meet", poker, pure(sets, 0, 0, 0), false, "[1/2 0/1]"},
		{"always raise, always pass", poker, pure(sets, 0, 1, 0), false, "[0/1 1/1]"},
		{"an empty threat", entry, pure(read(t, entry), 0, 0), false, "[0/1 0/1]"},
		{"an empty threat, in subgames", entry, pure(read(t, entry), 0, 0), true, "[0/1 2/1]"},
		{"entry", entry, pure(read(t, entry), 1, 1), true, "[0/1 0/1]"},
	} {
		gains, err := sequencesOf(t, read(t, c.text)).Gains(t.Context(), c.profile, c.subgames)
		if err != nil || fmt.Sprint(gains) != c.want {
			t.Errorf("%s: gains %v: %v, want %s", c.name, gains, err, c.want)
		}
	}
	if _, err := sequencesOf(t, sets).Gains(t.Context(), Profile{nil, {one, one}, {one, zero}, {one, zero}},
		false); err == nil {
		t.Error("probabilities that add up to 2 are accepted")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sequencesOf(t, sets).Gains(ended, bluff, false); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// Information sets that join different histories of their player.
func TestRecall(t *testing.T) {
	for name, text := range map[string]string{
		"an own action is forgotten": `EFG 2 R "" { "a" "b" } p "" 1 1 "" { "x" "y" } 0
			p "" 1 2 "late" { "x" "y" } 0 t "" 0 t "" 0 p "" 1 2 0 t "" 0 t "" 0`,
		"absent-minded": `EFG 2 R "" { "a" "b" }
			p "" 1 2 "late" { "x" "y" } 0 p "" 1 2 0 t "" 0 t "" 0 t "" 0`,
	} {
		_, err := read(t, text).Sequences()
		if recall := (*RecallError)(nil); !errors.As(err, &recall) || recall.Set != "late" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNormalForm(t *testing.T) {
	f, err := read(t, poker).NormalForm()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Strategies); got != "[[Raise,Raise Raise,Fold Fold,Raise Fold,Fold] [Meet Pass]]" {
		t.Errorf("strategies %s", got)
	}
	// Raise with the king only: met, +2 and -1; passed, +1 and -1.
	if got := f.A[1*f.Cols+0].RatString() + " " + f.B[1*f.Cols+1].RatString(); got != "1/2 0" {
		t.Errorf("payoffs %s", got)
	}
	// Who stays out decides no further.
	g := read(t, `EFG 2 R "" { "a" "b" } p "" 1 1 "" { "out" "in" } 0 t "" 0 p "" 2 1 "" { "l" "r" } 0
		p "" 1 2 "" { "L" "R" } 0 t "" 0 t "" 0 p "" 1 2 0 t "" 0 t "" 0`)
	if f, err = g.NormalForm(); err != nil || fmt.Sprint(f.Strategies[0]) != "[out in,L in,R]" {
		t.Errorf("strategies %v: %v", f.Strategies, err)
	}
	three := read(t, `EFG 2 R "" { "a" "b" "c" } p "" 3 1 "" { "l" "r" } 0 t "" 0 t "" 0`)
	if _, err := three.NormalForm(); !errors.Is(err, bimatrix.ErrPlayers) {
		t.Errorf("three players: %v", err)
	}
}

// A player who has forgotten an earlier decision takes it once: at both nodes of a set, or at a node
// to which no pure strategy leads.
func TestNormalFormWithoutRecall(t *testing.T) {
	for _, c := range []struct{ name, text, strategies, payoffs string }{
		{
			"the driver who is absent-minded", `EFG 2 R "" { "a" } p "" 1 1 "" { "exit" "go" } 0 t "" 1 "" { 0 }
				p "" 1 1 0 t "" 2 "" { 4 } t "" 3 "" { 1 }`, "[[exit go] []]", "0 1",
		},
		{
			"a forgotten action", `EFG 2 R "" { "a" "b" } p "" 1 1 "" { "x" "y" } 0
				p "" 1 2 "" { "l" "r" } 0 t "" 1 "" { 1 0 } t "" 2 "" { 2 0 }
				p "" 2 1 "" { "L" "R" } 0 p "" 1 2 0 t "" 3 "" { 3 0 } t "" 4 "" { 4 0 } t "" 5 "" { 5 0 }`,
			"[[x,l x,r y,l y,r] [L R]]", "1 1 2 2 3 5 4 5",
		},
	} {
		f, err := read(t, c.text).NormalForm()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		payoffs := strings.Join(bimatrix.Fractions(f.A), " ")
		if got := fmt.Sprint(f.Strategies); got != c.strategies || payoffs != c.payoffs || f.Check() != nil {
			t.Errorf("%s: strategies %s, payoffs %s, want %s and %s", c.name, got, payoffs, c.strategies, c.payoffs)
		}
	}
}

// A player who has many actions, with many decisions after each.
func TestNormalFormTooLarge(t *testing.T) {
	text := `EFG 2 R "" { "a" "b" } p "" 1 1 "" {` + strings.Repeat(` ""`, 40) + " } 0"
	for a := range 40 {
		text += ` c "" 1 "" {` + strings.Repeat(` "" 1/16`, 16) + " } 0"
		for i := range 16 {
			text += fmt.Sprintf(` p "" 1 %d "" { "" "" } 0 t "" 0 t "" 0`, 2+16*a+i)
		}
	}
	g := read(t, text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := g.NormalForm(); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 200<<20 {
		t.Errorf("%d MiB were allocated", allocated>>20)
	}
}
