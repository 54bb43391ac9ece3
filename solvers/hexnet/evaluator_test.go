package hexnet_test

import (
	"math"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
)

// shapeOf returns the shape of Havannah's boards of a side.
func shapeOf(t testing.TB, side int) (*havannah.Grid, *hexnet.Shape) {
	t.Helper()
	g, err := havannah.GridOf(side)
	if err != nil {
		t.Fatal(err)
	}
	return g, hexsearch.ShapeOf(g)
}

// randomNet returns a network all of whose parameters are random. Its blocks add little, so
// that activations stay small through all of them.
func randomNet(c hexnet.Config, seed uint64) *hexnet.Net {
	n := hexnet.New(c, seed)
	s := rng.Stream(seed)
	for i := range n.Parameters {
		if n.Parameters[i] == 0 {
			n.Parameters[i] = (s.Float32() - 0.5) / float32(4*c.Blocks)
		}
	}
	return n
}

// randomPlanes returns planes of some boards.
func randomPlanes(s *hexnet.Shape, boards int, seed uint64) []uint8 {
	stream := rng.Stream(seed)
	planes := make([]uint8, boards*s.Cells*hexnet.Planes)
	for i := range planes {
		if stream.IntN(3) == 0 {
			planes[i] = hexnet.Unit
		}
	}
	return planes
}

func evaluate(t testing.TB, e *hexnet.Evaluator, planes []uint8) *hexnet.Outputs {
	t.Helper()
	var o hexnet.Outputs
	if err := e.Evaluate(planes, &o); err != nil {
		t.Fatal(err)
	}
	return &o
}

// A network that has learned nothing prefers nothing.
func TestNewNetIsUniform(t *testing.T) {
	_, s := shapeOf(t, 3)
	o := evaluate(t, hexnet.NewEvaluator(hexnet.New(hexnet.Config{Blocks: 2, Channels: 16}, 1), s, 1),
		randomPlanes(s, 2, 1))
	for i, x := range o.Policy {
		if x != 0 || o.Value[0] != 0 || o.Value[1] != 0 {
			t.Fatalf("policy logit %d is %g, values %g", i, x, o.Value)
		}
	}
}

// The outputs are those of the equations in the package's documentation, computed naively
// in float64.
func TestOutputsAreThoseOfTheEquations(t *testing.T) {
	for _, test := range []struct {
		config hexnet.Config
		side   int
	}{{hexnet.Config{Blocks: 1, Channels: 16}, 2}, {hexnet.Config{Blocks: 4, Channels: 32}, 5},
		{hexnet.Config{Blocks: 3, Channels: 48}, 8}} {
		g, s := shapeOf(t, test.side)
		n := randomNet(test.config, 3)
		const boards = 3
		planes := randomPlanes(s, boards, 5)
		o := evaluate(t, hexnet.NewEvaluator(n, s, 2), planes)
		for board := range boards {
			board0 := planes[board*s.Cells*hexnet.Planes:][:s.Cells*hexnet.Planes]
			want := naive{config: n.Config, grid: g, parameters: widen(n.Parameters)}.forward(board0)
			near := func(what string, got float32, want float64) {
				t.Helper()
				if math.Abs(float64(got)-want) > 2e-5*(1+math.Abs(want)) {
					t.Errorf("%v, side %d, board %d: %s is %g, want %g", n.Config, test.side, board, what, got, want)
				}
			}
			for cell, x := range want.cells {
				at := board*s.Cells + cell
				near("policy", o.Policy[at], x[0])
				near("reply", o.Reply[at], x[1])
				near("own", o.Own[at], x[2])
				near("other", o.Other[at], x[3])
			}
			near("value", o.Value[board], math.Tanh(want.board[0]))
			for k := range hexnet.Kinds {
				near("kind", o.Kinds[board*hexnet.Kinds+k], want.board[1+k])
			}
		}
	}
}

// The outputs for a board do not depend on its batch nor on the number of threads.
func TestOutputsDoNotDependOnTheBatch(t *testing.T) {
	_, s := shapeOf(t, 4)
	n := randomNet(hexnet.Config{Blocks: 3, Channels: 16}, 1)
	const boards = 29
	planes := randomPlanes(s, boards, 2)
	all := evaluate(t, hexnet.NewEvaluator(n, s, 3), planes)
	alone := hexnet.NewEvaluator(n, s, 1)
	for board := range boards {
		o := evaluate(t, alone, planes[board*s.Cells*hexnet.Planes:][:s.Cells*hexnet.Planes])
		if o.Value[0] != all.Value[board] {
			t.Errorf("board %d: value %g alone, %g in the batch", board, o.Value[0], all.Value[board])
		}
		for cell, x := range o.Policy {
			if x != all.Policy[board*s.Cells+cell] {
				t.Fatalf("board %d, cell %d: %g alone, %g in the batch", board, cell, x, all.Policy[board*s.Cells+cell])
			}
		}
	}
}

func TestEvaluateRefusesPartsOfBoards(t *testing.T) {
	_, s := shapeOf(t, 3)
	e := hexnet.NewEvaluator(hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1), s, 1)
	if err := e.Evaluate(make([]uint8, s.Cells*hexnet.Planes+1), new(hexnet.Outputs)); err == nil {
		t.Error("no error")
	}
}
