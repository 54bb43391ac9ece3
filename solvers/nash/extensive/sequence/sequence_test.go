package sequence

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gamebots/solvers/nash"
	"gamebots/solvers/nash/extensive"
)

func read(t *testing.T, text string) *extensive.Game {
	t.Helper()
	g, err := extensive.Read("game", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The games of these tests.
const (
	// poker is Myerson's: Alice may bet that her card is high.
	poker = `EFG 2 R "Poker" { "Alice" "Bob" }
		c "" 1 "" { "King" 1/2 "Queen" 1/2 } 0
		p "" 1 1 "" { "Raise" "Fold" } 0
		p "" 2 1 "" { "Meet" "Pass" } 0 t "" 1 "" { 2, -2 } t "" 2 "" { 1, -1 }
		t "" 3 "" { -1, 1 }
		p "" 1 2 "" { "Raise" "Fold" } 0
		p "" 2 1 0 t "" 4 "" { -2, 2 } t "" 2
		t "" 3`
	// entry has a threat that is not credible.
	entry = `EFG 2 R "" { "entrant" "incumbent" }
		p "" 1 1 "" { "out" "in" } 0
		t "" 1 "" { 0, 2 }
		p "" 2 1 "" { "fight" "accommodate" } 0 t "" 2 "" { -3, -1 } t "" 3 "" { 1, 1 }`
	// sexes is the battle of the sexes, in which one may also stay at home.
	sexes = `EFG 2 R "" { "1" "2" }
		p "" 1 1 "" { "home" "out" } 0
		t "" 1 "" { 3/2 0 }
		p "" 1 2 "" { "ballet" "boxing" } 0
		p "" 2 1 "" { "ballet" "boxing" } 0 t "" 2 "" { 3 1 } t "" 0
		p "" 2 1 0 t "" 0 t "" 3 "" { 1 3 }`
	// wilson's has an equilibrium that is not subgame perfect, to which random play leads.
	wilson = `EFG 2 R "" { "1" "2" }
		p "" 1 1 "" { "out" "in" } 0
		t "" 1 "" { 2 2 }
		p "" 1 2 "" { "A" "B" } 0
		p "" 2 1 "" { "a" "b" } 0 t "" 0 t "" 2 "" { 1 3 }
		p "" 2 1 0 t "" 3 "" { 3 1 } t "" 0`
	// centipede pays on the way: who continues gives 1 to get 3 back.
	centipede = `EFG 2 R "" { "1" "2" }
		p "" 1 1 "" { "stop" "go" } 1 "" { 1 1 }
		t "" 0
		p "" 2 1 "" { "stop" "go" } 2 "" { -1 2 }
		t "" 0
		p "" 1 2 "" { "stop" "go" } 3 "" { 2 -1 }
		t "" 0 t "" 2`
	// trust has three players, of whom only one decides at a time.
	trust = `EFG 2 R "" { "1" "2" "3" }
		p "" 1 1 "" { "l" "r" } 0
		p "" 2 1 "" { "l" "r" } 0 t "" 1 "" { 1 2 3 } t "" 2 "" { 3 1 1 }
		p "" 3 1 "" { "l" "r" } 0 t "" 3 "" { 0 0 0 } t "" 4 "" { 2 2 2 }`
	// horse is Selten's, with three players.
	horse = `EFG 2 R "" { "1" "2" "3" }
		p "" 1 1 "" { "c" "d" } 0
		p "" 2 1 "" { "C" "D" } 0
		t "" 1 "" { 1 1 1 }
		p "" 3 1 "" { "L" "R" } 0 t "" 2 "" { 4 4 0 } t "" 3 "" { 0 0 1 }
		p "" 3 1 0 t "" 4 "" { 3 3 2 } t "" 5 "" { 0 0 0 }`
)

func TestKnownGames(t *testing.T) {
	for _, c := range []struct {
		name, text string
		method     Method
		want       string // strategies and payoffs
		subgames   int
	}{
		{"poker", poker, Subgames, "[[] [1/1 0/1] [2/3 1/3] [1/3 2/3]] [1/3 -1/3]", 1},
		{"entry", entry, Subgames, "[[0/1 1/1] [0/1 1/1]] [1/1 1/1]", 2},
		{"Wilson's, by subgames", wilson, Subgames, "[[0/1 1/1] [0/1 1/1] [1/1 0/1]] [3/1 1/1]", 2},
		{"Wilson's, as a whole", wilson, Whole, "[[1/1 0/1] [1/1 0/1] [0/1 1/1]] [2/1 2/1]", 1},
		{"battle of the sexes", sexes, Subgames, "[[0/1 1/1] [1/1 0/1] [1/1 0/1]] [3/1 1/1]", 2},
		{"centipede", centipede, Subgames, "[[1/1 0/1] [1/1 0/1] [1/1 0/1]] [1/1 1/1]", 3},
		{"trust", trust, Subgames, "[[0/1 1/1] [1/1 0/1] [0/1 1/1]] [2/1 2/1 2/1]", 3},
	} {
		s, err := Solve(t.Context(), read(t, c.text), c.method)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := fmt.Sprint(s.Profile, s.Payoffs); got != c.want || s.Subgames != c.subgames {
			t.Errorf("%s: %s in %d subgames, want %s in %d", c.name, got, s.Subgames, c.want, c.subgames)
		}
	}
}

// Games that cannot be solved, by reason.
func TestRefused(t *testing.T) {
	for _, method := range Methods() {
		_, err := Solve(t.Context(), read(t, horse), method)
		if three := (*PlayersError)(nil); !errors.As(err, &three) || three.Players != 3 {
			t.Errorf("three players: %v", err)
		}
		_, err = Solve(t.Context(),
			read(t, `EFG 2 R "" { "1" "2" } p "" 1 1 "" { "x" "y" } 0 p "" 1 1 0 t "" 0 t "" 0 t "" 0`), method)
		if !errors.As(err, new(*extensive.RecallError)) {
			t.Errorf("no perfect recall: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{poker, entry} {
		if _, err := Solve(ctx, read(t, text), Whole); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
	}
	wide := `EFG 2 R "" { "1" "2" } p "" 1 1 "" {` + strings.Repeat(` ""`, 3000) + " } 0"
	for i := range 3000 {
		wide += fmt.Sprintf(` p "" 2 1 "" { "" "" } 0 t "" %d "" { %d 1 } t "" 0`, i+1, i%7)
	}
	for _, method := range []Method{Subgames, Lemke} {
		if _, err := Solve(t.Context(), read(t, wide), method); !errors.Is(err, ErrTooLarge) {
			t.Errorf("3000 actions, %s: %v", method, err)
		}
	}
}

// A random game of some moves, in which players see others' actions partly, and remember
// all that they saw. A position is the actions so far.
type random struct {
	seed    uint64
	zeroSum bool
	moves   int
}

// hash returns a number below n that depends on the seed and on what else is given.
func (r random) hash(n uint64, x ...any) int {
	h := uint64(14695981039346656037)
	for _, c := range []byte(fmt.Sprint(r.seed, x)) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return int((h ^ h>>29) % n)
}

func (r random) Start() string { return "" }

func (r random) Next(position string, action int) string { return position + fmt.Sprint(action) }

// mover returns who moves at a depth: two players, and sometimes chance.
func (r random) mover(depth int) int {
	return []int{0, 1, 0, 1, extensive.Chance}[r.hash(5, "mover", depth)]
}

func (r random) Describe(position string) extensive.Turn {
	depth := len(position)
	if depth == r.moves || depth > 0 && r.hash(5, "end", position) == 0 {
		x, y := int64(r.hash(9, "first", position)), int64(r.hash(9, "second", position))
		if r.zeroSum {
			y = 3 - x
		}
		return extensive.Turn{Payoffs: []*big.Rat{big.NewRat(x, 2), big.NewRat(y, 2)}}
	}
	turn := extensive.Turn{Player: r.mover(depth)}
	for a := range 2 + r.hash(2, "actions", depth) {
		turn.Actions = append(turn.Actions, fmt.Sprint(a))
	}
	if turn.Player == extensive.Chance {
		rest := big.NewRat(1, 1)
		for range turn.Actions[1:] {
			p := big.NewRat(int64(r.hash(4, "chance", position)), 12)
			turn.Probabilities = append(turn.Probabilities, p)
			rest = new(big.Rat).Sub(rest, p)
		}
		turn.Probabilities = append(turn.Probabilities, rest)
		return turn
	}
	for d, a := range position {
		switch {
		case r.mover(d) == turn.Player, r.hash(3, "sees", turn.Player, d) == 0:
			turn.Set += string(a)
		case r.hash(3, "sees", turn.Player, d) == 1:
			turn.Set += fmt.Sprint(a == '0')
		default:
			turn.Set += "-"
		}
	}
	return turn
}

// Random games of both kinds: each result is an equilibrium, which Solve verifies, and the
// value of a game is that of its normal form, which the search of package nash finds.
func TestRandomGames(t *testing.T) {
	compared := 0
	for seed := range uint64(160) {
		g, err := extensive.Build("random", []string{"1", "2"}, random{seed, seed%2 == 0, 5})
		if err != nil {
			t.Fatal(err)
		}
		whole, err := Solve(t.Context(), g, Whole)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		perfect, err := Solve(t.Context(), g, Subgames)
		if err != nil {
			t.Fatalf("seed %d, by subgames: %v", seed, err)
		}
		lemke, err := Solve(t.Context(), g, Lemke)
		if err != nil {
			t.Fatalf("seed %d, by Lemke's algorithm: %v", seed, err)
		}
		q, err := g.Sequences()
		if err != nil {
			t.Fatal(err)
		}
		if seed%2 == 1 {
			continue
		}
		if whole.Payoffs[0].Cmp(perfect.Payoffs[0]) != 0 || whole.Payoffs[0].Cmp(lemke.Payoffs[0]) != 0 {
			t.Errorf("seed %d: values %v, %v and %v", seed, whole.Payoffs[0], perfect.Payoffs[0], lemke.Payoffs[0])
		}
		if q.Count[0]+q.Count[1] > 20 {
			continue
		}
		b, err := g.NormalForm()
		if err != nil {
			t.Fatal(err)
		}
		if b.Check() == nil {
			r, err := nash.Solve(t.Context(), b, nash.Options{Method: nash.LemkeHowson})
			if err != nil {
				t.Fatal(err)
			}
			if compared++; r.Equilibria[0].Payoffs[0].Cmp(whole.Payoffs[0]) != 0 {
				t.Errorf("seed %d: a value of %v, in normal form %v", seed, whole.Payoffs[0],
					r.Equilibria[0].Payoffs[0])
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d games were compared", compared)
	}
}

// aces is a game of Miltersen and Sorensen (2006): in an equilibrium the first player always stops,
// so that any guess of the second one is optimal, but "ace" is right in one of 52 cases only. The
// actions of the guess are given in their order.
func aces(first, second string) string {
	guess := fmt.Sprintf(`p "" 2 1 "" { %q %q } 0`, first, second)
	right := func(name string) string {
		leaves := ` t "" 1 "" { -1000 1000 } t "" 2 "" { 0 0 }`
		if first != name {
			leaves = ` t "" 2 "" { 0 0 } t "" 1 "" { -1000 1000 }`
		}
		return guess + leaves
	}
	return `EFG 2 R "" { "1" "2" } c "" 1 "" { "ace" 1/52 "other" 51/52 } 0
		p "" 1 1 "" { "stop" "play" } 0 t "" 2 "" { 0 0 } ` + right("ace") + `
		p "" 1 2 "" { "stop" "play" } 0 t "" 2 ` + right("other")
}

// Lemke's algorithm finds the guess that is best if the first player errs, in either order of the
// actions.
func TestGuessTheAce(t *testing.T) {
	for _, actions := range [][2]string{{"ace", "other"}, {"other", "ace"}} {
		g := read(t, aces(actions[0], actions[1]))
		s, err := Solve(t.Context(), g, Lemke)
		if err != nil {
			t.Fatal(err)
		}
		for set := range g.Sets {
			if g.Sets[set].Player != 1 {
				continue
			}
			for a, p := range s.Profile[set] {
				if g.Sets[set].Actions[a] == "other" != (p.Cmp(big.NewRat(1, 1)) == 0) {
					t.Errorf("%v are guessed with probabilities %v", actions, s.Profile[set])
				}
			}
		}
	}
}

// pures lists what a player can do without chance, at the player's sets of a profile, or nothing if
// that is too much.
func pures(g *extensive.Game, player int) []extensive.Profile {
	all := []extensive.Profile{make(extensive.Profile, len(g.Sets))}
	n := 1
	for set := range g.Sets {
		if g.Sets[set].Player == player {
			n *= len(g.Sets[set].Actions)
		}
		if n > 64 {
			return nil
		}
	}
	for set := range g.Sets {
		if g.Sets[set].Player != player {
			continue
		}
		var next []extensive.Profile
		for _, before := range all {
			for a := range g.Sets[set].Actions {
				s := slices.Clone(before)
				s[set] = slices.Repeat([]*big.Rat{new(big.Rat)}, len(g.Sets[set].Actions))
				s[set][a] = big.NewRat(1, 1)
				next = append(next, s)
			}
		}
		all = next
	}
	return all
}

// against returns what a player wins with the sets of one profile against each of others' profiles.
func against(g *extensive.Game, player int, own extensive.Profile, others []extensive.Profile) []*big.Rat {
	var wins []*big.Rat
	for _, other := range others {
		s := slices.Clone(other)
		for set := range g.Sets {
			if g.Sets[set].Player == player {
				s[set] = own[set]
			}
		}
		wins = append(wins, g.Values(s)[player][0])
	}
	return wins
}

// Of a game that is one subgame, Lemke's algorithm finds an equilibrium in which no pure strategy
// dominates weakly what a player does: it is normal form perfect.
func TestUndominated(t *testing.T) {
	compared := 0
	for seed := range uint64(1000) {
		g, err := extensive.Build("random", []string{"1", "2"}, random{seed, seed%2 == 0, 3})
		if err != nil {
			t.Fatal(err)
		}
		plans := [2][]extensive.Profile{pures(g, 0), pures(g, 1)}
		if len(plans[0]) < 2 || len(plans[1]) < 2 {
			continue
		}
		s, err := Solve(t.Context(), g, Lemke)
		if err != nil {
			t.Fatal(err)
		}
		if s.Subgames > 1 {
			continue
		}
		compared++
		for player := range plans {
			wins := against(g, player, s.Profile, plans[1-player])
			for _, plan := range plans[player] {
				atLeast, more := true, false
				for i, x := range against(g, player, plan, plans[1-player]) {
					atLeast, more = atLeast && x.Cmp(wins[i]) >= 0, more || x.Cmp(wins[i]) > 0
				}
				if atLeast && more {
					t.Errorf("seed %d: player %d plays %v, which %v dominates", seed, player+1, s.Profile, plan)
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d games were compared", compared)
	}
}

// FuzzSolve solves any small game that is read: what it returns without an error is
// verified.
func FuzzSolve(f *testing.F) {
	for _, text := range []string{poker, entry, sexes, centipede, trust, horse} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := extensive.Read("f", text)
		if err != nil || len(g.Nodes) > 60 {
			return
		}
		for _, method := range Methods() {
			_, err := Solve(t.Context(), g, method)
			if err != nil && !errors.As(err, new(*extensive.RecallError)) && !errors.As(err, new(*PlayersError)) {
				t.Fatal(err)
			}
		}
	})
}
