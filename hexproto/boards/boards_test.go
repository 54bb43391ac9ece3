package boards

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gamebots/hexproto/game"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	"gamebots/solvers/nash/bimatrix"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// battery are the options that each of the rules is tested with.
var battery = []struct {
	name    string
	rules   game.Rules
	options []string
	bad     []string
}{
	{"havannah", Havannah{}, []string{``, `{}`, `{"side":2}`, `{"side":3}`, `{"side":5}`},
		[]string{`{"side":1}`, `{"side":14}`, `{"side":"8"}`, `{"size":8}`, `[]`, `8`}},
	{"nim", Nim{}, []string{``, `{}`, `{"misere":false}`, `{"heaps":[2]}`, `{"heaps":[15,0,1,9,7],"max_take":3}`},
		[]string{
			`{"heaps":[]}`, `{"heaps":[0,0]}`, `{"heaps":[16]}`, `{"heaps":[-1,3]}`, `{"max_take":16}`,
			`{"max_take":-1}`, `{"heaps":"1 3"}`, `{"take":1}`,
		}},
	{"matrix", Matrix{Parse: bimatrix.Repeated},
		[]string{``, `{"game":"chicken","rounds":3}`, `{"game":"2 2\n1 2\n3 4\n5 6\n7 1/2","rounds":1}`,
			`{"game":"NFG 1 R \"t\" { \"\" \"\" } { { \"up\" } { \"left\" \"middle\" \"right\" } } 1 2 3 4 5 6",` +
				`"rounds":20}`},
		[]string{`{"game":"chess"}`, `{"rounds":0}`, `{"game":"2 2\n1 2 3"}`, `{"side":2}`,
			`{"game":"1 1\n9999999999999e300\n1","rounds":1}`, `{"game":"1 1\n1e300\n1","rounds":1000}`}},
}

func TestGames(t *testing.T) {
	for _, c := range battery {
		t.Run(c.name, func(t *testing.T) {
			if got := c.rules.About().Name; got != c.name {
				t.Errorf("it calls itself %q", got)
			}
			about := c.rules.About()
			about.Bots = []string{} // as a server fills in
			valid(t, "Rules", about)
			for _, bad := range c.bad {
				if _, err := c.rules.New(json.RawMessage(bad)); err == nil {
					t.Errorf("options %s are accepted", bad)
				} else if strings.Contains(err.Error(), "json") || strings.Contains(err.Error(), "Go ") {
					t.Errorf("options %s are refused in words of the program: %v", bad, err)
				}
			}
			for seed, options := range c.options {
				playOut(t, c.rules, options, rand.New(rand.NewPCG(uint64(seed), 1)))
			}
		})
	}
}

// schemas are those of the docs.
var schemas = sync.OnceValues(func() (*jsonschema.Compiler, error) {
	text, err := os.ReadFile("../../docs/hexproto.schema.json")
	if err != nil {
		return nil, err
	}
	docs, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	return compiler, compiler.AddResource("hexproto.json", docs)
})

// valid tests that clients may be sent a value.
func valid(t *testing.T, part string, value any) {
	t.Helper()
	compiler, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("hexproto.json#/$defs/" + part)
	if err != nil {
		t.Fatal(err)
	}
	text := mustJSON(value)
	if v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text)); err != nil || schema.Validate(v) != nil {
		t.Errorf("%.200s: %v, %v", text, err, schema.Validate(v))
	}
}

// playOut plays a random game and tests invariants after each turn.
func playOut(t *testing.T, rules game.Rules, options string, rng *rand.Rand) {
	t.Helper()
	g, err := rules.New(json.RawMessage(options))
	if err != nil {
		t.Fatal(err)
	}
	again, err := rules.New(g.Options())
	if err != nil {
		t.Fatalf("its own options %s: %v", g.Options(), err)
	}
	if b := g.Board(); b.Kind == "" {
		t.Error("a board without a kind")
	}
	for turn := 0; slices.Contains(g.ToMove(), true); turn++ {
		if turn > 10000 {
			t.Fatal("the game does not end")
		}
		view := g.View()
		if len(view.Legal) == 0 {
			t.Fatalf("turn %d: nothing is legal: %+v", turn, view)
		}
		if slices.Contains(view.Legal, "swap") != g.CanSwap() {
			t.Errorf("turn %d: CanSwap is %v, and %v legal", turn, g.CanSwap(), view.Legal)
		}
		moves := make([]string, 2)
		for seat, to := range g.ToMove() {
			if !to {
				continue
			}
			legal := view.Moves(seat)
			move := legal[rng.IntN(len(legal))]
			for _, m := range legal {
				if written, err := g.Check(seat, m); err != nil || written != m {
					t.Fatalf("turn %d: %q is legal, and Check says %q, %v", turn, m, written, err)
				}
			}
			if _, err := g.Check(seat, "no move"); err == nil {
				t.Fatal("no move is a move")
			}
			moves[seat] = move
		}
		for _, game := range []game.Game{g, again} {
			if err := game.Play(moves); err != nil {
				t.Fatal(err)
			}
		}
		if g.Result() != nil == slices.Contains(g.ToMove(), true) {
			t.Fatalf("result %v, to move %v", g.Result(), g.ToMove())
		}
		a, b := mustJSON(g.View()), mustJSON(again.View())
		if !bytes.Equal(a, b) {
			t.Fatalf("the same moves gave %s and %s", a, b)
		}
	}
	valid(t, "Board", g.Board())
	valid(t, "View", g.View())
	valid(t, "Result", g.Result())
	result := g.Result()
	if w := result.Winner; w >= 0 && !(result.Score[w] > result.Score[1-w]) || result.How == "" {
		t.Errorf("result %+v", result)
	}
	about := &wire.Game{Game: "g1", Seats: []wire.Player{{Name: "a"}, {Name: "b"}}, Result: result}
	if text, ok := g.Record("txt", about); !ok || text == "" {
		t.Error("no record as text")
	}
	if _, ok := g.Record("exe", about); ok {
		t.Error("a record in a format that there is not")
	}
}

// Neighbours, and only they, are 1 apart; the middle is at 0.
func TestHexagon(t *testing.T) {
	g, err := Havannah{}.New(json.RawMessage(`{"side":4}`))
	if err != nil {
		t.Fatal(err)
	}
	grid, cells := g.(*havannahGame).grid(), g.Board().Cells
	sum := 0.0
	for a := range cells {
		sum += cells[a].X + cells[a].Y
		near := map[int]bool{}
		for d := range 6 {
			near[grid.Near(a, d)] = true
		}
		for b := range cells {
			if a == b {
				continue
			}
			apart := math.Hypot(cells[a].X-cells[b].X, cells[a].Y-cells[b].Y)
			if (math.Abs(apart-1) < 1e-3) != near[b] || apart < 0.99 {
				t.Errorf("%s and %s are %v apart, near: %v", cells[a].Name, cells[b].Name, apart, near[b])
			}
		}
	}
	if math.Abs(sum) > 1e-6 {
		t.Errorf("the middle is off by %v", sum)
	}
}

// The corners are the cells with three neighbours, the edges those with four. Edge i lies between
// the corners i and i+1.
func TestCornersAndEdges(t *testing.T) {
	for side := havannah.MinSide; side <= havannah.MaxSide; side++ {
		g, err := Havannah{}.New(HavannahOptions{side}.JSON())
		if err != nil {
			t.Fatal(err)
		}
		board := g.Board()
		at := map[string]wire.Cell{}
		for _, c := range board.Cells {
			at[c.Name] = c
		}
		near := func(a, b string) bool { return math.Abs(math.Hypot(at[a].X-at[b].X, at[a].Y-at[b].Y)-1) < 1e-3 }
		neighbours := map[string]int{}
		for a := range at {
			for b := range at {
				if near(a, b) {
					neighbours[a]++
				}
			}
		}
		want := func(n int, cell string) {
			if neighbours[cell] != n {
				t.Errorf("side %d: %s has %d neighbours, not %d", side, cell, neighbours[cell], n)
			}
			delete(neighbours, cell)
		}
		for i, corner := range board.Corners {
			edge, next := board.Edges[i], board.Corners[(i+1)%6]
			for _, end := range [][2]string{{corner, next}, {next, corner}} {
				reached := append(slices.Clone(edge), end[1])
				touches := func(cell string) bool { return near(end[0], cell) }
				if len(edge) != side-2 || !slices.ContainsFunc(reached, touches) {
					t.Errorf("side %d: edge %v does not reach from %s to %s", side, edge, corner, next)
				}
			}
			for _, cell := range edge {
				want(4, cell)
			}
		}
		for _, corner := range board.Corners {
			want(3, corner)
		}
		for cell := range neighbours {
			want(6, cell)
		}
	}
}

// Options that are given replace the defaults as a whole.
func TestNimOptions(t *testing.T) {
	for given, want := range map[string]string{
		``:                             `{"heaps":[1,3,5,7],"misere":true,"max_take":0}`,
		`{"heaps":[9],"misere":false}`: `{"heaps":[9],"misere":false,"max_take":0}`,
	} {
		g, err := Nim{}.New(json.RawMessage(given))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(g.Options()); got != want {
			t.Errorf("options %s became %s, not %s", given, got, want)
		}
	}
}

// A move is proved to win if and only if the position after it is lost. The others lose
// to the reply in their line.
func TestNimAnalysis(t *testing.T) {
	for _, c := range []struct {
		options string
		wins    []string
		moves   int
	}{
		{`{"heaps":[3,4,5],"misere":false}`, []string{"pile:1, take:2;"}, 12}, // 3 xor 4 xor 5 is 2
		{`{"heaps":[1,3,5,7],"misere":true}`, nil, 16},
		{`{"heaps":[1,3],"misere":true}`, []string{"pile:2, take:3;"}, 4},
		{`{"heaps":[1,3],"misere":false}`, []string{"pile:2, take:2;"}, 4},
		{`{"heaps":[1,1],"misere":true}`, []string{"pile:1, take:1;", "pile:2, take:1;"}, 2},
		{`{"heaps":[1],"misere":true}`, nil, 1},
		{`{"heaps":[9],"misere":false,"max_take":3}`, []string{"pile:1, take:1;"}, 3},
	} {
		g, err := Nim{}.New(json.RawMessage(c.options))
		if err != nil {
			t.Fatal(err)
		}
		rated, err := Nim{}.Analyse(t.Context(), g, "")
		if err != nil || len(rated) != c.moves {
			t.Fatalf("%s: %v, %v", c.options, rated, err)
		}
		for i, r := range rated {
			want := wire.Rated{Move: r.Move, Proof: wire.ProvedLoss, Line: r.Line}
			if i < len(c.wins) {
				want = wire.Rated{Move: c.wins[i], Proof: wire.ProvedWin, Value: 1, Line: []string{c.wins[i]}}
			}
			if !reflect.DeepEqual(r, want) {
				t.Errorf("%s: %+v, want %+v", c.options, r, want)
			}
			after, err := Nim{}.New(json.RawMessage(c.options))
			if err == nil {
				err = after.Play([]string{r.Move})
			}
			if err != nil {
				t.Fatal(err)
			}
			if after.Result() != nil || r.Proof == wire.ProvedWin {
				continue
			}
			replies, err := Nim{}.Analyse(t.Context(), after, "")
			if err != nil || len(r.Line) != 2 || !slices.ContainsFunc(replies, func(reply wire.Rated) bool {
				return reply.Move == r.Line[1] && reply.Proof == wire.ProvedWin
			}) {
				t.Errorf("%s: %v does not lose to %v", c.options, r.Move, r.Line)
			}
		}
	}
}

// A game that restarts is as New returns it, and leaves the one that was played alone.
func TestRestart(t *testing.T) {
	g, err := Matrix{}.New(json.RawMessage(`{"game":"prisoners-dilemma","rounds":2}`))
	if err != nil {
		t.Fatal(err)
	}
	first := g.View()
	if err := g.Play([]string{"defect", "cooperate"}); err != nil {
		t.Fatal(err)
	}
	played := g.View()
	again := g.(game.Restarter).Restart()
	if got := again.View(); !reflect.DeepEqual(got, first) || string(again.Options()) != string(g.Options()) {
		t.Errorf("it restarts as %+v, not %+v", got, first)
	}
	if err := again.Play([]string{"cooperate", "defect"}); err != nil {
		t.Fatal(err)
	}
	if got := g.View(); !reflect.DeepEqual(got, played) {
		t.Errorf("afterwards the other is %+v, not %+v", got, played)
	}
}

// A game takes no more memory to its end than it says, with its moves, and not much less.
func TestMeasured(t *testing.T) {
	large := "NFG 1 R \"t\" { \"\" \"\" } { 60 60 }" + strings.Repeat(" 1 2", 3600)
	options, err := json.Marshal(MatrixOptions{large, 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules   game.Rules
		options string
	}{
		{Havannah{}, `{"side":13}`}, {Havannah{}, `{"side":8}`}, {Matrix{Parse: bimatrix.Repeated}, `{"rounds":1000}`},
		{Matrix{Parse: bimatrix.Repeated}, string(options)},
	} {
		const games = 20
		var kept []any
		said := 0
		memory := func() uint64 {
			runtime.GC()
			runtime.GC() // what the first has left in pools
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := memory()
		for i := range games {
			g, err := c.rules.New(json.RawMessage(c.options))
			if err != nil {
				t.Fatal(err)
			}
			said += g.(game.Measured).Bytes()
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			moves := []wire.Move{}
			for to := g.ToMove(); slices.Contains(to, true); to = g.ToMove() {
				view, turn := g.View(), make([]string, 2)
				for seat, legal := range [][]string{view.Legal, view.LegalSecond} {
					if to[seat] && len(legal) == 0 {
						legal = view.Legal
					}
					if to[seat] {
						turn[seat] = legal[rng.IntN(len(legal))]
						moves = append(moves, wire.Move{Move: turn[seat]})
					}
				}
				if err := g.Play(turn); err != nil {
					t.Fatal(err)
				}
			}
			kept = append(kept, g, moves)
		}
		took := int(memory() - before)
		runtime.KeepAlive(kept)
		if took > said*5/4 || took < said/4 {
			t.Errorf("%.40s: %d games take %d bytes each, and say %d", c.options, games, took/games, said/games)
		}
	}
}
