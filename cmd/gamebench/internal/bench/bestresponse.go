package bench

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/cudalib"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"
)

// responseWork is the work of bench best-response.
type responseWork []responseCase

// responseCase is a simple strategy to answer on some boards of the second round.
type responseCase struct {
	game     string
	bot      policy.Plain
	cpu, gpu int // boards of a run
}

var fullResponses = responseWork{
	{game: "rhode-island", bot: policy.PlainHalf, cpu: 13, gpu: 13},
	{game: "holdem-limit-flop", bot: policy.PlainHalf, cpu: 100, gpu: 1000},
	{game: "holdem-limit-2p", bot: policy.PlainCall, cpu: 1, gpu: 64},
}

// respond prepares the best responses to a simple strategy in a game that comes with the
// program.
func respond(game string, bot policy.Plain) (*bestresponse.Response, error) {
	g := shipped(game)
	s, err := bestresponse.PlainStrategy(bot, betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20)))
	if err != nil {
		return nil, err
	}
	return bestresponse.New(s), nil
}

func (w responseWork) onCPU(ctx context.Context, emit func(Row)) error {
	for _, c := range w {
		for _, threads := range allThreads() {
			if err := c.measure(emit, c.cpu, threads, func(r *bestresponse.Response, boards []int) error {
				return r.Value(ctx, boards, threads, forget)
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w responseWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	for _, c := range w {
		if err := c.measure(emit, c.gpu, 0, func(r *bestresponse.Response, boards []int) error {
			return r.ValueOn(ctx, ondevice.Responses(d), boards, runtime.NumCPU(), forget)
		}); err != nil {
			return err
		}
	}
	return nil
}

func forget(int, bestresponse.PartValues) error { return nil }

// measure times the valuing of n boards, which are far from each other.
func (c responseCase) measure(
	emit func(Row), n, threads int, value func(r *bestresponse.Response, boards []int) error,
) error {
	r, err := respond(c.game, c.bot)
	if err != nil {
		return err
	}
	boards := make([]int, n)
	for i := range boards {
		boards[i] = i * r.Parts() / n
	}
	row := Row{Case: fmt.Sprintf("%s, answer to %s", c.game, c.bot), Threads: threads}
	return emitSpeed(emit, row, float64(n), "boards/s", func() error { return value(r, boards) })
}

// signResponses answers simple strategies in small games, on all boards and on a sample of
// them.
func signResponses(ctx context.Context, method methods) error {
	h := method("")
	for _, game := range []string{"kuhn", "leduc", "rhode-island"} {
		for _, bot := range policy.Plains {
			r, err := respond(game, bot)
			if err != nil {
				return err
			}
			parts := make([]bestresponse.PartValues, r.Parts())
			err = r.Value(ctx, r.Missing(parts), runtime.NumCPU(),
				func(part int, values bestresponse.PartValues) error {
					parts[part] = values
					return nil
				})
			if err != nil {
				return err
			}
			sample := r.NewSample(1)
			sample.Draw(8)
			best, bound := r.Total(parts), sample.Bound(sample.Of(parts))
			// An interval is computed by functions of the machine.
			sign(h, []float64{best[0], best[1], bound.Responses[0].Value, bound.Responses[1].Value})
		}
	}
	return nil
}
