package bench

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"gamebots/cudalib"
	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	search "gamebots/solvers/havannah"
	"gamebots/solvers/hexnet"
)

// hexnetWork is the work of bench hexnet: networks of some sizes that value boards of some
// sides, and learn from them.
type hexnetWork struct {
	configs []hexnet.Config
	sides   []int
	boards  int   // boards of a batch on the CPU
	learn   int   // boards of a step of learning
	gpu     []int // boards of batches on a GPU
}

var fullHexnet = hexnetWork{
	configs: []hexnet.Config{{Blocks: 4, Channels: 32}, {Blocks: 6, Channels: 64}}, sides: []int{4, 5, 8},
	boards: 256, learn: 256, gpu: []int{128, 4096},
}

// each calls measure for each size and side.
func (w hexnetWork) each(measure func(n *hexnet.Net, s *hexnet.Shape, name string) error) error {
	for _, config := range w.configs {
		for _, side := range w.sides {
			grid, err := havannah.GridOf(side)
			if err != nil {
				return err
			}
			if err := measure(hexnet.New(config, 1), search.ShapeOf(grid),
				fmt.Sprintf("%v, side %d", config, side)); err != nil {
				return err
			}
		}
	}
	return nil
}

// planes returns planes of boards. Their values do not matter to the time.
func planes(s *hexnet.Shape, boards int) []uint8 {
	stream := rng.Stream(1)
	all := make([]uint8, boards*s.Cells*hexnet.Planes)
	for i := range all {
		all[i] = uint8(stream.IntN(2) * hexnet.Unit)
	}
	return all
}

func (w hexnetWork) onCPU(ctx context.Context, emit func(Row)) error {
	return w.each(func(n *hexnet.Net, s *hexnet.Shape, name string) error {
		for _, threads := range allThreads() {
			row := Row{Case: name, Threads: threads}
			if err := evaluation(ctx, hexnet.NewEvaluator(n, s, threads), n, s, w.boards, row, emit); err != nil {
				return err
			}
		}
		trainer := hexnet.NewTrainer(hexnet.NewState(n), runtime.NumCPU())
		return learning(ctx, trainer, s, w.learn, Row{Case: name, Threads: runtime.NumCPU()}, emit)
	})
}

func (w hexnetWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	return w.each(func(n *hexnet.Net, s *hexnet.Shape, name string) error {
		for _, batch := range w.gpu {
			row := Row{Case: fmt.Sprintf("%s, %d at a time", name, batch), Threads: runtime.NumCPU()}
			d, err := hexnet.NewDevice(n, gpu, s, batch, runtime.NumCPU())
			if err != nil {
				return err
			}
			err = evaluation(ctx, d, n, s, batch, row, emit)
			d.Close() // an error would not change the figures
			if err != nil {
				return err
			}
			l, err := hexnet.NewDeviceTrainer(hexnet.NewState(n.Clone()), gpu, runtime.NumCPU())
			if err != nil {
				return err
			}
			err = learning(ctx, l, s, batch, row, emit)
			l.Close() // likewise
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// learning emits the speed of learning from batches of boards.
func learning(ctx context.Context, l hexnet.Learner, s *hexnet.Shape, boards int, row Row, emit func(Row)) error {
	row.Metric = "learning"
	batch := planes(s, boards)
	targets := &hexnet.Targets{
		Policy: make([]float32, boards*s.Cells), Reply: make([]int16, boards), Structure: make([]int8, boards*s.Cells),
		Value: make([]float32, boards), Kinds: make([]uint8, boards),
	}
	return emitSpeed(emit, row, float64(boards), "boards/s", func() error {
		_, err := l.Step(s, batch, targets, 1e-3)
		return cmp.Or(err, context.Cause(ctx))
	})
}

// evaluation emits the speed of an evaluator of a batch of boards, as boards and as operations of its
// convolutions.
func evaluation(ctx context.Context, e interface {
	Evaluate(planes []uint8, o *hexnet.Outputs) error
}, n *hexnet.Net, s *hexnet.Shape, boards int, row Row, emit func(Row)) error {
	batch := planes(s, boards)
	var o hexnet.Outputs
	t, err := medianTime(func() error { return cmp.Or(e.Evaluate(batch, &o), context.Cause(ctx)) })
	if err != nil {
		return err
	}
	row.Repeated = t.Repeated
	speed := float64(boards) / t.Seconds()
	emitAll(emit, row, figure{"evaluation", speed, "boards/s"},
		figure{"evaluation", speed * n.Config.Operations(s.Cells) / 1e9, "GFLOP/s"})
	return nil
}
