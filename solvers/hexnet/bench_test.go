package hexnet_test

import (
	"fmt"
	"testing"

	"gamebots/solvers/hexnet"
)

func BenchmarkEvaluate(b *testing.B) {
	for _, config := range []hexnet.Config{{Blocks: 4, Channels: 32}, {Blocks: 6, Channels: 64}} {
		for _, side := range []int{4, 5, 8} {
			b.Run(fmt.Sprintf("%v/side=%d", config, side), func(b *testing.B) {
				_, s := shapeOf(b, side)
				const boards = 32
				e := hexnet.NewEvaluator(randomNet(config, 1), s, 1)
				planes := randomPlanes(s, boards, 1)
				var o hexnet.Outputs
				for b.Loop() {
					if err := e.Evaluate(planes, &o); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(boards*float64(b.N)/b.Elapsed().Seconds(), "boards/s")
			})
		}
	}
}

func BenchmarkStep(b *testing.B) {
	_, s := shapeOf(b, 4)
	const boards = 64
	planes, targets := randomPlanes(s, boards, 1), randomTargets(s, boards, 1)
	trainer := hexnet.NewTrainer(hexnet.NewState(hexnet.New(hexnet.Config{Blocks: 4, Channels: 32}, 1)), 1)
	for b.Loop() {
		if _, err := trainer.Step(s, planes, targets, 1e-3); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(boards*float64(b.N)/b.Elapsed().Seconds(), "boards/s")
}
