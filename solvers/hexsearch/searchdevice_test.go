//go:build linux

package hexsearch_test

import (
	"fmt"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/internal/testkit"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

// answers returns logits and the first output for a position, which differ from those of any
// other position.
func answers(planes []uint8) (logits []float32, output float32) {
	var all uint64
	for first := 0; first < len(planes); first += hexnet.Planes {
		x := uint64(first)
		for _, plane := range planes[first:][:hexnet.Planes] {
			x = rng.Mix(x*256 + uint64(plane) + rng.Golden)
		}
		logits = append(logits, 6*float32(x>>40)/(1<<24))
		all += x
	}
	return logits, 3*float32(rng.Mix(all)>>40)/(1<<24) - 1.5
}

// network answers on the host for positions on a device.
func network(s *driver.Stream, planes driver.Buffer[uint8], logits, outputs driver.Buffer[float32]) error {
	all := make([]uint8, planes.Len())
	if err := planes.Download(s, all); err != nil {
		return err
	}
	positions := outputs.Len() / 4
	allLogits, allOutputs := make([]float32, logits.Len()), make([]float32, outputs.Len())
	size := len(all) / positions
	for i := range positions {
		l, output := answers(all[i*size:][:size])
		copy(allLogits[i*len(l):], l)
		allOutputs[4*i] = output
	}
	if err := logits.Upload(s, allLogits); err != nil {
		return err
	}
	return outputs.Upload(s, allOutputs)
}

// randomMoves returns the stones of a game that goes on.
func randomMoves(t *testing.T, g *havannah.Grid, random *rng.Stream) (b *havannah.Board, moves []uint16) {
	t.Helper()
	for {
		first := random.IntN(g.NumCells)
		b, err := havannah.Setup(g.Side, []havannah.Move{havannah.Move(first)}, nil, havannah.Black)
		if err != nil {
			t.Fatal(err)
		}
		moves = []uint16{uint16(first)}
		for n := random.IntN(g.NumCells - 1); len(moves) <= n && !b.Over(); {
			if cell := random.IntN(g.NumCells); b.Play(havannah.Move(cell)) == nil {
				moves = append(moves, uint16(cell))
			}
		}
		if !b.Over() {
			return b, moves
		}
	}
}

// Searches on a device are those of the CPU, to the bit, with any number of evaluations and
// steps.
func TestDevice(t *testing.T) {
	gpu := cudatest.Open(t, "", "havannah")
	proofs := map[mcts.Proof]int{}
	for _, test := range []struct{ side, searches, evaluations, steps int }{
		{3, 40, 32, 8},
		{4, 40, 32, 5},
		{5, 9, 40, 40},
		{8, 3, 16, 16},
	} {
		t.Run(fmt.Sprint(test.side), func(t *testing.T) {
			g, err := havannah.GridOf(test.side)
			if err != nil {
				t.Fatal(err)
			}
			d, err := hexsearch.NewDevice(gpu, g, test.searches, test.evaluations, network)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			random := rng.Stream(test.side)
			boards, streams, budgets := make([]*havannah.Board, test.searches), make([]rng.Stream, test.searches),
				make([]int, test.searches)
			for i := range test.searches {
				var moves []uint16
				boards[i], moves = randomMoves(t, g, &random)
				streams[i], budgets[i] = rng.Stream(random.Uint64()), 1+random.IntN(test.evaluations)
				d.Set(i, moves, budgets[i], streams[i])
			}
			for made := 0; made < test.evaluations; made += test.steps {
				if err := d.Start(test.steps); err != nil {
					t.Fatal(err)
				}
				if err := d.Wait(); err != nil {
					t.Fatal(err)
				}
			}
			s := hexsearch.NewSearch(g)
			want, got := make([]float32, g.NumCells+1), make([]float32, g.NumCells+1)
			for i, b := range boards {
				stream := streams[i]
				n := run(s, b, budgets[i], &stream, func(planes []uint8) *hexnet.Outputs {
					logits, output := answers(planes)
					return &hexnet.Outputs{Policy: logits, Value: []float32{hexnet.Tanh(output)}}
				})
				proofs[s.Proof()]++
				r, over := d.Result(i)
				if !over {
					t.Fatalf("search %d of %d evaluations is not over", i, budgets[i])
				}
				if r.Evaluations() != n || r.Best() != s.Best() || r.Proof() != s.Proof() ||
					r.Evaluated() != s.Evaluated() || r.Random() != stream || !slices.Equal(r.Line(), s.Line()) {
					t.Errorf("search %d: %d evaluations, move %d, proof %d, line %v; want %d, %d, %d, %v\n%s", i,
						r.Evaluations(), r.Best(), r.Proof(), r.Line(), n, s.Best(), s.Proof(), s.Line(), b.Text(nil))
				}
				if s.Evaluated() {
					s.Policy(want)
					r.Policy(got)
					if !slices.Equal(got, want) {
						t.Errorf("search %d: policy %v, want %v", i, got, want)
					}
				}
			}
		})
	}
	if len(proofs) < 3 {
		t.Errorf("proofs %v", proofs)
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice)
}
