package boards

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
	"gamebots/solvers/nash/bimatrix"
)

// outlined returns what is to analyse in the position that some moves lead to.
func outlined(t *testing.T, rules game.Rules, outline func(game.Game) string, options string, moves ...string) string {
	t.Helper()
	g, err := rules.New(json.RawMessage(options))
	if err != nil {
		t.Fatal(err)
	}
	for _, move := range moves {
		turn := make([]string, 2)
		turn[slices.Index(g.ToMove(), true)] = move
		if err := g.Play(turn); err != nil {
			t.Fatalf("%s: %v", move, err)
		}
	}
	return outline(g)
}

// What is of help in a game of Havannah, and what is not.
func TestHelpsInHavannah(t *testing.T) {
	const played = "a1 swap f6 g7 e5 h8 d4"
	at := func(side, moves string) string {
		return outlined(t, Havannah{}, Havannah{}.Outline, `{"side":`+side+`}`, strings.Fields(moves)...)
	}
	for studied, want := range map[string]bool{
		played:                         true,
		"a1 f6 g7 e5 h8 d4":            true, // the colours are exchanged
		"i9 d4 c3 e5 b2 f6":            true, // the board is turned around
		"a1 swap f6 g7 e5 h8":          true, // before the last move
		"a1 swap f6 g7 e5":             true,
		"a1 swap f6 g7":                false, // many games have these
		"a1 swap f6 g7 e5 h8 c2":       true,  // a stone elsewhere
		"a1 swap f6 g7 e5 a5 c2":       true,  // two
		"a1 swap f6 g7 a5 i5 c2":       false,
		played + " a5 i5":              true, // a stone more of each colour
		played + " a5 i5 e9":           true,
		played + " a5 i5 e9 e1":        false,
		played + " b6 i7 e9 h5":        false,
		"a1 swap f6 g7 e5 h8 c2 a5":    true,
		"a1 swap f6 g7 e5 h8 c2 a5 i5": true,
	} {
		if got := (Havannah{}).Helps(at("5", studied), at("5", played)); got != want {
			t.Errorf("%s: %t", studied, got)
		}
	}
	if (Havannah{}).Helps(at("6", played), at("5", played)) {
		t.Error("a board of another size helps")
	}
	// Lines lead on from a position some moves before, but not from one that has other stones.
	const later = played + " c2 e4 f5 d6 c4 d5"
	for studied, want := range map[string]bool{
		"a1 swap f6 g7 e5 h8": true, "a1 swap f6 g7 e5": true,
		"a1 swap f6 g7 e5 a5": false, played + " a5 e4 f5": false,
		played + " a5 e4 f5 d6": true,
	} {
		if got := (Havannah{}).Helps(at("5", studied), at("5", later)); got != want {
			t.Errorf("%s, of a later position: %t", studied, got)
		}
	}
}

// In pairs of games a position helps if and only if what is said of alikeFrom, alikeStones and alikeBefore
// holds, whichever way the board is turned. Here its geometry is that of its drawing.
func TestHelpsInRandomHavannah(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 4))
	images := map[int][12][]int{} // where cells go, by the side: six turns, and as many of the mirror image
	for side := 3; side <= 8; side++ {
		g, err := Havannah{}.New(HavannahOptions{side}.JSON())
		if err != nil {
			t.Fatal(err)
		}
		cells := g.Board().Cells
		var image [12][]int
		for i := range image {
			sin, cos := math.Sincos(float64(i) * math.Pi / 3)
			for _, c := range cells {
				x, y := c.X, c.Y
				if i >= 6 {
					x = -x
				}
				x, y = x*cos-y*sin, x*sin+y*cos
				image[i] = append(image[i],
					slices.IndexFunc(cells, func(c wire.Cell) bool { return math.Hypot(c.X-x, c.Y-y) < 0.01 }))
			}
		}
		images[side] = image
	}
	// turned returns a position turned around, from 12 on with the colours exchanged.
	turned := func(side int, position string, i int) string {
		image := []byte(position)
		for from, to := range images[side][i%12] {
			image[to] = position[from]
			if i >= 12 && image[to] != '.' {
				image[to] ^= 1
			}
		}
		return string(image)
	}
	random := func(side int) string { // after some moves of a game
		g, err := Havannah{}.New(HavannahOptions{side}.JSON())
		if err != nil {
			t.Fatal(err)
		}
		for n := rng.IntN(28); n > 0 && g.Result() == nil; n-- {
			turn, legal := make([]string, 2), g.View().Legal
			turn[slices.Index(g.ToMove(), true)] = legal[rng.IntN(len(legal))]
			if err := g.Play(turn); err != nil {
				t.Fatal(err)
			}
		}
		return Havannah{}.Outline(g)
	}
	helped, near := 0, 0
	for range 10_000 {
		side := 3 + rng.IntN(6)
		played := random(side)
		studied := random(side)
		changes := -1
		if rng.IntN(4) > 0 { // else they are of two games that have nothing to do with each other
			position := []byte(played)
			for changes = rng.IntN(6); changes > 0 && rng.IntN(8) > 0; changes-- {
				position[rng.IntN(len(position))] = "01."[rng.IntN(3)]
			}
			for n := rng.IntN(12) - 2; n > 0 && changes == 0; n-- { // some moves before
				if from := rng.IntN(len(position)); position[from] != '.' {
					position[from] = '.'
				}
			}
			studied = turned(side, string(position), rng.IntN(24))
		}
		want := false
		for i := range 24 {
			image := turned(side, studied, i)
			common, extra, lacks := 0, 0, 0
			for cell := range image {
				same := image[cell] == played[cell]
				switch {
				case same && image[cell] != '.':
					common++
				case !same && image[cell] != '.' && played[cell] != '.':
					extra, lacks = extra+1, lacks+1
				case !same && image[cell] != '.':
					extra++
				case !same:
					lacks++
				}
			}
			want = want || common >= 4 && extra <= 3 && (lacks <= 3 || extra == 0 && lacks <= 8)
		}
		if got := (Havannah{}).Helps(studied, played); got != want {
			t.Fatalf("side %d: %s helps in %s: %t, want %t", side, studied, played, got, want)
		}
		if want {
			helped++
		} else if changes >= 0 {
			near++
		}
	}
	if helped < 2000 || near < 500 {
		t.Errorf("only %d positions help, and %d that are nearly so do not", helped, near)
	}
}

// In Nim what is left counts, however it came about, and a move before and after it.
func TestHelpsInNim(t *testing.T) {
	at := func(options string, moves ...string) string {
		return outlined(t, Nim{}, Nim{}.Outline, options, moves...)
	}
	played := at(``, "pile:1, take:1;", "pile:2, take:3;", "pile:3, take:1;") // leaves 4 and 7
	for options, want := range map[string]bool{
		`{"heaps":[4,7]}`: true, `{"heaps":[7,0,4],"misere":false,"max_take":9}`: true, `{"heaps":[4,4]}`: true,
		`{"heaps":[4,8]}`: true, `{"heaps":[4]}`: true, `{"heaps":[1,4,7]}`: true, `{"heaps":[7,7]}`: true,
		`{"heaps":[3,8]}`: false, `{"heaps":[1,2,4,7]}`: false, ``: false,
		`{"heaps":[5,5]}`: false, `{"heaps":[3]}`: false,
	} {
		if got := (Nim{}).Helps(at(options), played); got != want {
			t.Errorf("%s: %t", options, got)
		}
	}
	rng := rand.New(rand.NewPCG(71, 5))
	for range 10_000 { // heaps are alike if one of them makes the difference
		var position [2][]byte
		for i := range position {
			for range 1 + rng.IntN(5) {
				position[i] = append(position[i], 'a'+byte(1+rng.IntN(4)))
			}
		}
		rest := slices.Clone(position[1])
		for _, heap := range position[0] {
			if i := slices.Index(rest, heap); i >= 0 {
				rest = slices.Delete(rest, i, i+1)
			}
		}
		extra := len(rest) + len(position[0]) - len(position[1])
		if got := (Nim{}).Helps(string(position[0]), string(position[1])); got != (max(extra, len(rest)) <= 1) {
			t.Fatalf("%q and %q: %t", position[0], position[1], got)
		}
	}
}

// Of a matrix game the payoffs count, whatever the names, the order of the actions, and the rounds.
func TestHelpsInMatrixGames(t *testing.T) {
	rules := Matrix{Parse: bimatrix.Repeated}
	at := func(game string, rounds int) string {
		options, err := json.Marshal(MatrixOptions{game, rounds})
		if err != nil {
			t.Fatal(err)
		}
		return outlined(t, rules, rules.Outline, string(options))
	}
	for game, want := range map[string]bool{
		"rock-paper-scissors": true,
		`NFG 1 R "x" { "a" "b" } { 3 3 } 0 0 1 -1 -1 1 -1 1 0 0 1 -1 1 -1 -1 1 0 0`: true,
		`NFG 1 R "x" { "a" "b" } { 3 3 } 1 -1 0 0 -1 1 0 0 -1 1 1 -1 -1 1 1 -1 0 0`: true,
		`NFG 1 R "x" { "a" "b" } { 3 3 } 0 0 1 -1 -1 1 -1 1 0 0 1 -1 1 -1 -1 1 0 2`: false,
		"matching-pennies": false, "prisoners-dilemma": false,
	} {
		if got := rules.Helps(at(game, 3), at("rock-paper-scissors", 10)); got != want {
			t.Errorf("%s: %t", game, got)
		}
	}
}

// Positions of a game in which both are far on are compared at every analysis.
func BenchmarkHelps(b *testing.B) {
	rng := rand.New(rand.NewPCG(71, 6))
	for _, side := range []int{8, 13} {
		var positions []string
		for range 100 {
			position := []byte(strings.Repeat(".", 3*side*(side-1)+1))
			for i := range 20 {
				position[rng.IntN(len(position))] = "01"[i%2]
			}
			positions = append(positions, string(position))
		}
		b.Run(HavannahName, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				(Havannah{}).Helps(positions[0], positions[1+i%99])
			}
		})
	}
}
