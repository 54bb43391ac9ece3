package boardwise

import (
	"flag"
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/internal/pokertest"
)

var roundedIterations = flag.Int("iterations", 20, "how long TestRounding trains")

// Rounding to 16 bits costs little, and that in the sums of strategies: a longer training
// shows it, and -v the curves.
func TestRounding(t *testing.T) {
	game := *pokertest.Game(t, "holdem-limit-12")
	game.MaxRaises = [acpc.MaxRounds]uint8{1, 1, 1, 1} // less work
	g := newGame(t, layout(t, &game))
	train := func(name string, packed, packedSums bool) (exploitability float64) {
		a := algorithm("dcfr+")
		a.Quantized = packed
		trainer := NewTrainer(g, a, 2)
		for p, sums := range trainer.machine.(*cpu).sums {
			for r := range sums {
				sums[r] = newEntries(g.entries(r, p), packedSums)
			}
		}
		for next := 1; int(trainer.Iterations()) < *roundedIterations; {
			trainer.Step()
			if i := int(trainer.Iterations()); i == next || i == *roundedIterations {
				exploitability = 1000 * trainer.Evaluate().Exploitability() / float64(game.MaxBlind())
				next = int(math.Ceil(1.2 * float64(i)))
				t.Logf("%s: %.4g mb after %d iterations", name, exploitability, i)
			}
		}
		return exploitability
	}
	exact, rounded, sums := train("32 bits", false, false), train("16 bits", true, true),
		train("16 bits, sums in 32", true, false)
	if rounded > 1.1*exact+1 || sums > 1.1*exact {
		t.Errorf("%v mb in 16 bits, %v with sums in 32, %v in 32", rounded, sums, exact)
	}
}
