package cfr

import (
	"testing"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/internal/pokertest"
)

func BenchmarkStep(b *testing.B) {
	for _, name := range []string{"kuhn", "leduc", "kuhn-3p", "rhode-island"} {
		b.Run(name, func(b *testing.B) {
			t := NewTrainer(prepared(b, pokertest.Game(b, name), abstraction.Lossless), Algorithms[1], 1)
			for b.Loop() {
				t.Step()
			}
		})
	}
}
