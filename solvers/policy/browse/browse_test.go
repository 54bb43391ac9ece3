package browse

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/cfrtest"
	"gamebots/solvers/policy"
)

// trained returns a strategy after some iterations.
func trained(t testing.TB, name, actions string, iterations int) *Strategy {
	t.Helper()
	s, err := New(cfrtest.Trained(t, name, actions, cfr.Algorithms[0], iterations), 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func at(t *testing.T, s *Strategy, betting, board string) *Node {
	t.Helper()
	p, err := s.Parse(betting, board)
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.At(p)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// hand returns the hands of a node with some hole cards.
func hand(t *testing.T, n *Node, hole string) Hand {
	t.Helper()
	i := slices.IndexFunc(n.Hands, func(h Hand) bool { return slices.Contains(h.Cards, hole) })
	if i < 0 {
		t.Fatalf("no %s in %+v", hole, n.Hands)
	}
	return n.Hands[i]
}

func within(x, y, tolerance float64) bool { return math.Abs(x-y) <= tolerance }

// In the equilibria of Kuhn poker the first player bets a queen with a probability α of at
// most 1/3, an ace with 3α and never a king, and calls with the king with α + 1/3: see Kuhn,
// "A simplified two-person poker", 1950. Deuces and so on of the literature are queens here.
func TestKuhn(t *testing.T) {
	s := trained(t, "kuhn", "all", 5000)
	root := at(t, s, "", "")
	const bet, call, tolerance = 1, 1, 2e-3
	alpha := hand(t, root, "Qs").Probabilities[bet]
	for _, test := range []struct {
		betting, hole string
		action        int
		want          float64
	}{
		{"", "As", bet, 3 * alpha}, {"", "Ks", bet, 0},
		{"r", "Qs", call, 0}, {"r", "Ks", call, 1. / 3}, {"r", "As", call, 1},
		{"c", "Qs", bet, 1. / 3}, {"c", "Ks", bet, 0}, {"c", "As", bet, 1},
		{"cr", "Ks", call, alpha + 1./3},
	} {
		if got := hand(t, at(t, s, test.betting, ""), test.hole).Probabilities[test.action]; !within(got,
			test.want, tolerance) {
			t.Errorf("%s after %q: %v with %.4f, want %.4f", test.hole, test.betting, test.action, got, test.want)
		}
	}
	if alpha < 0 || alpha > 1./3 {
		t.Errorf("α is %g", alpha)
	}

	// Values: a called bet with an ace wins 2, and the king calls with 1/3.
	if v := hand(t, root, "As").Values[bet]; !within(v, (1+1./3*2+2./3*1)/2, tolerance) {
		t.Errorf("a bet with the ace wins %g", v)
	}
	if n := at(t, s, "c", ""); !within(*n.Frequency, 1-4*alpha/3, tolerance) {
		t.Errorf("the first player checks %g of the hands, with α = %g", *n.Frequency, alpha)
	}
	if n := at(t, s, "cr", ""); n.Pot != 3 || n.ToCall != 1 || n.Position != 1 ||
		n.Actions[1].Name != "call 1" || !n.Actions[0].Over {
		t.Errorf("%+v", n)
	}
}

// Over the whole game, the frequencies of a node's actions are those of the nodes after them,
// and the values at the root are the value of the game.
func TestFrequencies(t *testing.T) {
	for _, name := range []string{"leduc", "kuhn-3p"} {
		s := trained(t, name, "all", 200)
		var visit func(n *Node)
		visit = func(n *Node) {
			sum := 0.0
			for _, a := range n.Actions {
				sum += a.Frequency
				if a.Over {
					continue
				}
				next := at(t, s, a.Betting, "")
				if !within(*next.Frequency, *n.Frequency*a.Frequency, 1e-6) {
					t.Fatalf("%s: %q is reached by %g of the hands, want %g", name, a.Betting, *next.Frequency,
						*n.Frequency*a.Frequency)
				}
				visit(next)
			}
			if *n.Frequency > 0 && !within(sum, 1, 1e-6) {
				t.Fatalf("%s, %q: the frequencies add up to %g", name, n.Betting, sum)
			}
		}
		visit(at(t, s, "", ""))
	}
}

// twoCardGame is of two hole cards, 12 cards and no board.
const twoCardGame = `GAMEDEF
limit
numPlayers = 2
numRounds = 1
blind = 1 1
raiseSize = 2
maxRaises = 2
numSuits = 4
numRanks = 3
numHoleCards = 2
numBoardCards = 0
END GAMEDEF
`

// writeGame writes a game definition to a file.
func writeGame(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.game")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// oneBucket plays all hands alike.
type oneBucket struct{}

func (oneBucket) Name() string                     { return "one" }
func (oneBucket) NumBuckets(int) int               { return 1 }
func (oneBucket) Bucket(int, abstraction.Deal) int { return 0 }

// Hands that are played alike but do not win the same are listed apart.
func TestHandsOfOneBucket(t *testing.T) {
	s := trained(t, writeGame(t, twoCardGame), "all", 1)
	s.policy.Index = policy.NewIndex(s.tree, oneBucket{})
	s.values = nil
	n := at(t, s, "c", "")
	aces, queens := hand(t, n, "AsAh"), hand(t, n, "QsQh")
	if aces.Bucket != queens.Bucket || aces.Values[0] <= queens.Values[0] {
		t.Errorf("aces win %v, queens %v", aces.Values, queens.Values)
	}
	if len(n.Hands) != 6 { // without a flush: three pairs, and two ranks of three
		t.Errorf("%d rows", len(n.Hands))
	}
}

// In the last round the values of one board agree with those of the whole game.
func TestLastRoundValues(t *testing.T) {
	twoCards := writeGame(t, twoCardGame)
	for _, name := range []string{"kuhn", "leduc", twoCards} {
		whole := trained(t, name, "all", 30)
		one := &Strategy{policy: whole.policy, tree: whole.tree}
		compared := 0
		for set, err := range whole.policy.All() {
			if err != nil {
				t.Fatal(err)
			}
			if int(whole.tree.Nodes[set.Node].Round) < whole.Game().NumRounds-1 {
				continue
			}
			want, got := hand(t, at(t, whole, set.Betting, set.Deal.BoardText()), set.Deal.Hole.String()),
				hand(t, at(t, one, set.Betting, set.Deal.BoardText()), set.Deal.Hole.String())
			if len(want.Values) != len(got.Values) {
				t.Fatalf("%s, %q: %v, want %v", name, set.Betting, got.Values, want.Values)
			}
			for a, v := range want.Values {
				compared++
				if !within(got.Values[a], v, 1e-9) {
					t.Errorf("%s, %q, %v: %v, want %v", name, set.Betting, set.Deal.Hole, got.Values, want.Values)
				}
			}
		}
		if compared == 0 {
			t.Errorf("%s: nothing to compare", name)
		}
	}
}

// A round with very many raises is not valued, which would take too long.
func TestManyRaises(t *testing.T) {
	for stack, valued := range map[string]bool{"8": true, "16": false} {
		s := trained(t, writeGame(t, `GAMEDEF
nolimit
numPlayers = 2
numRounds = 1
blind = 1 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
stack = `+stack+` `+stack+`
END GAMEDEF
`), "all", 1)
		s.values = nil
		if values := at(t, s, "", "").Hands[0].Values; (values != nil) != valued {
			t.Errorf("with %s chips %d nodes have values %v", stack, len(s.tree.Nodes), values)
		}
	}
}

// The hands on one board are those of all boards that are on it.
func TestBoard(t *testing.T) {
	s := trained(t, "leduc", "all", 50)
	all, one := at(t, s, "cc/r", ""), at(t, s, "cc/r", "Kh")
	if len(all.Hands) != 9 || len(one.Hands) != 3 || one.Board != "Kh" {
		t.Fatalf("%d hands on all boards, %d on %q", len(all.Hands), len(one.Hands), one.Board)
	}
	for _, h := range one.Hands {
		i := slices.IndexFunc(all.Hands, func(x Hand) bool { return x.Bucket == h.Bucket })
		if i < 0 || !slices.Equal(all.Hands[i].Probabilities, h.Probabilities) ||
			!within(all.Hands[i].Values[0], h.Values[0], 1e-9) {
			t.Errorf("%+v is not among all hands", h)
		}
	}
}

// A match state says the board and, at the player's turn, its hole cards.
func TestParseMatchState(t *testing.T) {
	s := trained(t, "leduc", "all", 5)
	p, err := s.Parse("MATCHSTATE:0:7:crc/:Qs|/Kh", "")
	if err != nil || p.Hole.String() != "Qs" || p.Board[1].String() != "Kh" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := s.Parse("MATCHSTATE:1:7:crc/:|Qs/Kh", ""); err != nil || p.Hole != 0 {
		t.Errorf("the viewer is not to act: %v, %v", p.Hole, err)
	}
	if p, err := s.Parse("STATE:7:crc/:Qs|As/Kh", ""); err != nil || p.Hole.String() != "Qs" {
		t.Errorf("%v, %v", p.Hole, err)
	}
	for _, test := range [][2]string{
		{"MATCHSTATE:0:7:crc/:Qs|/", "board cards"}, {"STATE:0:cc/cc:Qs|Ks/As", ErrOver.Error()},
		{"cc/cc", ErrOver.Error()}, {"cx", "unknown action"},
	} {
		if _, err := s.Parse(test[0], ""); err == nil || !strings.Contains(err.Error(), test[1]) {
			t.Errorf("%s: error %v, want %q", test[0], err, test[1])
		}
	}
	for _, text := range []string{"MATCHSTATE:0:7:crc/:Ks|/Ks", "MATCHSTATE:0:7:crc/:2c|/Ks",
		"MATCHSTATE:0:7:crc/:Ks|/2c"} {
		p, err := s.Parse(text, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.At(p); err == nil {
			t.Errorf("%s has cards that cannot be dealt", text)
		}
		if err := p.DrawBoard(rand.New(rand.NewPCG(1, 1))); err == nil {
			t.Errorf("%s: more cards are drawn", text)
		}
	}
	for _, board := range []string{"2c", "KhKs", "Kx", "K"} {
		if _, err := s.Parse("cc/", board); err == nil {
			t.Errorf("board %s is accepted", board)
		}
	}
}

// Hands are named by their class as far as they are of one.
func TestHandText(t *testing.T) {
	hands := func(text string) *Hand {
		h := &Hand{Cards: strings.Fields(text)}
		for _, c := range h.Cards {
			hole, err := card.ParseSet(c)
			if err != nil {
				t.Fatal(err)
			}
			h.holdings = append(h.holdings, holding{deal: abstraction.Deal{Hole: hole}})
		}
		return h
	}
	for text, want := range map[string]string{
		"Qs Qh":                         "Qs Qh",
		"AsKs AhKh AdKd AcKc":           "AKs",
		"AsKs AhKh":                     "AsKs AhKh",
		"AsAh AsAd AsAc AhAd":           "AA (4)",
		"AsKs AhQh":                     "AsKs AhQh",
		"AsKs AhQh AhTh 3s2s 5c4c":      "AsKs … 5c4c (5)",
		"2s 3s 4s 5s 6s 7s":             "2s … 7s (6)",
		"AsAh AsAd AsAc AhAd AhAc AdAc": "AA",
	} {
		if got := hands(text).Text(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Whatever a stranger asks for, the answer is a node or an error.
func FuzzAt(f *testing.F) {
	strategies := []*Strategy{trained(f, "leduc", "all", 5), trained(f, "kuhn-3p", "all", 5),
		trained(f, "leduc-nolimit", "fcpa", 5)}
	for _, at := range []string{"", "crc/", "MATCHSTATE:0:7:crc/:Qs|/Kh", "STATE:7:crc/:Qs|As/Kh",
		"r300c/", "STATE:0:r1200:Ks|Kh"} {
		f.Add(at, "")
		f.Add(at, "Ks")
	}
	f.Fuzz(func(t *testing.T, at, board string) {
		for _, s := range strategies {
			p, err := s.Parse(at, board)
			if err != nil {
				continue
			}
			n, err := s.At(p)
			if err == nil && (len(n.Hands) == 0 || len(n.Actions) == 0) {
				t.Errorf("%q on %q: nothing", at, board)
			}
		}
	})
}

// The way to a point is told in words, and leads back to each point of it.
func TestPath(t *testing.T) {
	s := trained(t, "leduc-nolimit", "fcpa", 5)
	n := at(t, s, "cr300c/cr900", "Ks")
	want := []Step{{"check", "c"}, {"bet 200", "cr300"}, {"call 200", "cr300c/"}, {"check", "cr300c/c"},
		{"bet 600", "cr300c/cr900"}}
	if !slices.Equal(n.Path, want) {
		t.Errorf("%+v", n.Path)
	}
	if n.Street != "round 2" || n.Players[0].Name != "position 1" || n.Players[1].Name != "BTN" {
		t.Errorf("%s, %+v", n.Street, n.Players)
	}
	if n.Actions[1].Name != "call 600" || n.Actions[2].Name != "raise to 900 all-in" {
		t.Errorf("%+v", n.Actions)
	}
}

// A raise that the tree lacks is taken for the likelier of its neighbours.
func TestParseMaps(t *testing.T) {
	s := trained(t, "leduc-nolimit", "fcpa", 5)
	root := at(t, s, "", "")
	sizes := []int32{root.Actions[1].Size, root.Actions[2].Size}
	p, err := s.Parse((acpc.Action{Type: acpc.Raise, Size: sizes[0] + 1}).String(), "")
	if err != nil || p.Mapped != 1 {
		t.Fatalf("%d raises mapped, %v", p.Mapped, err)
	}
	if n, err := s.At(p); err != nil || n.Betting != root.Actions[1].Betting || n.Mapped != 1 {
		t.Errorf("after %q, %v", n.Betting, err)
	}
}

// A game whose hands cannot be listed needs its board.
func TestBoardError(t *testing.T) {
	s := trained(t, "leduc", "all", 5)
	s.policy.Buckets = abstraction.NewBoardless(s.Game())
	p, err := s.Parse("cc/", "")
	if err != nil {
		t.Fatal(err)
	}
	var missing *BoardError
	if _, err := s.At(p); !errors.As(err, &missing) || missing.Cards != 1 {
		t.Errorf("error %v", err)
	}
}

// A strategy differs from itself nowhere, and a worse one loses in all.
func TestCompare(t *testing.T) {
	good, bad := trained(t, "leduc", "all", 500), trained(t, "leduc", "all", 3)
	p, err := good.Parse("", "")
	if err != nil {
		t.Fatal(err)
	}
	same, err := CompareAt(good, good, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range same {
		if d.Distance != 0 || *d.Lost != 0 {
			t.Errorf("%q, %v: %g, %g", d.Betting, d.Cards, d.Distance, *d.Lost)
		}
	}
	all, err := CompareAt(good, bad, p)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0.0
	for _, d := range all {
		if lost += *d.Lost; *d.Lost < -0.01 {
			t.Errorf("%q, %v: the worse strategy gains %g", d.Betting, d.Cards, -*d.Lost)
		}
	}
	if len(all) != len(same) || lost <= 0 {
		t.Fatalf("%d differences of %d lose %v", len(all), len(same), lost)
	}
	if _, err := CompareAt(good, trained(t, "kuhn", "all", 1), p); !errors.Is(err, ErrNotComparable) {
		t.Errorf("error %v", err)
	}
}

// With other raises, what the second strategy plays elsewhere counts as different.
func TestCompareOtherRaises(t *testing.T) {
	pot, allIn := trained(t, "leduc-nolimit", "fcpa", 20), trained(t, "leduc-nolimit", "fca", 20)
	p, err := pot.Parse("", "")
	if err != nil {
		t.Fatal(err)
	}
	all, err := CompareAt(pot, allIn, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if len(d.Second) != 3 || d.Second[1] != 0 {
			t.Errorf("%v: %v", d.Actions, d.Second)
		}
	}
}

// The judgement of a hand is what the node says of it.
func TestJudge(t *testing.T) {
	for _, name := range []string{"leduc", "kuhn-3p", writeGame(t, twoCardGame)} {
		s := trained(t, name, "all", 30)
		for set, err := range s.policy.All() {
			if err != nil {
				t.Fatal(err)
			}
			hand, err := s.Game().ParseBetting(set.Betting)
			if err != nil {
				t.Fatal(err)
			}
			copy(hand.Holes[hand.Actor()][:], slices.Collect(set.Deal.Hole.All()))
			copy(hand.Board[:], slices.Collect(set.Deal.Board[s.Game().NumRounds-1].All()))
			j, err := s.Judge(&hand)
			if err != nil {
				t.Fatal(err)
			}
			h, ok := at(t, s, set.Betting, set.Deal.BoardText()).Held(set.Deal.Hole)
			if !ok || !slices.Equal(j.Probabilities, h.Probabilities) || !near(j.Values, h.Values) {
				t.Fatalf("%s, %q, %v: %+v, want %+v", name, set.Betting, set.Deal.Hole, j, h)
			}
		}
	}
}

// A review names what was played, how probable it is, and what it lost.
func TestReview(t *testing.T) {
	s := trained(t, "leduc", "all", 500)
	hand, _, err := s.Game().ParseState("STATE:0:crc/crf:Ks|As/Kh")
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Review(&hand, 0)
	if err != nil {
		t.Fatal(err)
	}
	var played []string
	for _, d := range all {
		played = append(played, d.Played)
		if d.Lost == nil || *d.Lost < 0 || d.Probability < 0 || d.Probability > 1 {
			t.Errorf("%+v", d)
		}
	}
	if want := []string{"check", "call 2", "check", "fold"}; !slices.Equal(played, want) {
		t.Errorf("%q, want %q", played, want)
	}
	// The pair of kings never folds: it loses what it has put in, and would win the pot.
	if last := all[len(all)-1]; last.Board != "Kh" || last.Probability > 1e-3 || *last.Lost < 5 {
		t.Errorf("%+v, lost %v", last, *last.Lost)
	}
}

// In no-limit games a raise that the strategy does not know has no probability, and what
// follows is reviewed as after the raise that it is taken for.
func TestReviewUnknownRaise(t *testing.T) {
	s := trained(t, "leduc-nolimit", "fcpa", 5)
	first := at(t, s, "", "").Actions[1].Size
	hand, _, err := s.Game().ParseState("STATE:0:" + (acpc.Action{Type: acpc.Raise, Size: first + 1}).String() +
		"c/cc:Ks|As/Kh")
	if err != nil {
		t.Fatal(err)
	}
	for position, decisions := range []int{2, 2} {
		all, err := s.Review(&hand, position)
		if err != nil || len(all) != decisions {
			t.Fatalf("%d decisions, %v", len(all), err)
		}
		if position == 0 && (all[0].Probability != 0 || all[0].Probabilities == nil || all[0].Lost != nil) {
			t.Errorf("%+v", all[0])
		}
		if all[1].Probabilities == nil {
			t.Errorf("%+v", all[1])
		}
	}
}

// The range of a player is that of its own actions, in games with classes of hole cards.
func TestRange(t *testing.T) {
	s := trained(t, writeGame(t, twoCardGame), "all", 200)
	n := at(t, s, "r", "")
	if want := "QQ+,AQs+,AQo+,KQs,KQo"; n.Players[1].Range != want {
		t.Errorf("who has not acted holds %s", n.Players[1].Range)
	}
	r, err := ranges.Parse(n.Players[0].Range)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range at(t, s, "", "").Hands {
		hole, err := card.ParseSet(h.Cards[0])
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Weight(hole), h.Probabilities[1]; !within(got, want, 6e-4) {
			t.Errorf("%v raises with %g, its weight is %g", hole, want, got)
		}
	}
	if n := at(t, trained(t, "leduc", "all", 1), "r", ""); n.Players[0].Range != "" || n.Grid != nil {
		t.Errorf("one hole card has no range: %+v", n.Players)
	}
}

// The JSON of a node has no unknown value as a number.
func TestJSON(t *testing.T) {
	n := at(t, trained(t, "leduc", "all", 5), "cc/", "Kh")
	text, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"game", "betting", "board", "round", "position", "players", "pot", "to_call",
		"frequency", "actions", "hands"} {
		if back[key] == nil {
			t.Errorf("no %s in %s", key, text)
		}
	}
}
