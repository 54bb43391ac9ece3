//go:build linux

package hexnet_test

import (
	"fmt"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/solvers/hexnet"
)

// benchmarkDevice measures a function of boards of side 8 for networks of some sizes.
func benchmarkDevice(b *testing.B, make func(b *testing.B, n *hexnet.Net, s *hexnet.Shape, boards int) func() error) {
	if !cudatest.OnGPU() {
		b.Skip("the fake device is for tests")
	}
	_, s := shapeOf(b, 8)
	for _, config := range []hexnet.Config{{Blocks: 6, Channels: 64}, {Blocks: 10, Channels: 128}} {
		for _, boards := range []int{128, 256, 4096} {
			b.Run(fmt.Sprintf("%v/boards=%d", config, boards), func(b *testing.B) {
				f := make(b, hexnet.New(config, 1), s, boards)
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(boards)*float64(b.N)/b.Elapsed().Seconds(), "boards/s")
			})
		}
	}
}

const benchmarkThreads = 16

func BenchmarkDevice(b *testing.B) {
	benchmarkDevice(b, func(b *testing.B, n *hexnet.Net, s *hexnet.Shape, boards int) func() error {
		d, err := hexnet.NewDevice(n, cudatest.Open(b, "", "hexnet"), s, boards, benchmarkThreads)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { d.Close() })
		planes, o := randomPlanes(s, boards, 1), &hexnet.Outputs{}
		return func() error { return d.Evaluate(planes, o) }
	})
}

func BenchmarkDeviceTrainer(b *testing.B) {
	benchmarkDevice(b, func(b *testing.B, n *hexnet.Net, s *hexnet.Shape, boards int) func() error {
		trainer, err := hexnet.NewDeviceTrainer(hexnet.NewState(n), cudatest.Open(b, "", "hexnet"), benchmarkThreads)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { trainer.Close() })
		planes, targets := randomPlanes(s, boards, 1), randomTargets(s, boards, 1)
		return func() error {
			_, err := trainer.Step(s, planes, targets, 1e-3)
			return err
		}
	})
}
