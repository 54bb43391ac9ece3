package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"

	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
)

// valueKind are pieces of a strategy to value: the shared part is the strategy
// file, the spec a valueSpec as JSON, and the result little-endian floats, as
// cfr.PieceEvaluator has them.
const valueKind = "value"

type valueSpec struct{ Player, From, To int }

// valuer is a strategy at a worker, and its evaluators that have nothing to do.
type valuer struct {
	layout  *cfr.Layout
	weights []float32
	idle    sync.Pool // of *cfr.PieceEvaluator
}

// newValuer reads a strategy file. It goes over the disk: strategies are opened
// by name.
func newValuer(file []byte) (v *valuer, err error) {
	f, err := os.CreateTemp("", "gamebots-*.strategy")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.Write(file)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	v = &valuer{}
	v.layout, v.weights, err = openStrategy(f.Name(), memory.Available())
	return v, err
}

// openStrategy reads a strategy and lays its game out.
func openStrategy(path string, budget int64) (*cfr.Layout, []float32, error) {
	policy, err := cfr.OpenPolicy(path, budget, nil)
	if err != nil {
		return nil, nil, err
	}
	defer policy.Close()
	layout, err := policy.Layout(budget)
	if err != nil {
		return nil, nil, err
	}
	weights, err := policy.Weights()
	return layout, weights, err
}

// valueJob returns what does the jobs.
func valueJob() grid.Func {
	var strategies grid.Memo[*valuer]
	return func(_ context.Context, job grid.Job) ([]byte, error) {
		v, err := strategies.Get(job.Shared, newValuer)
		if err != nil {
			return nil, err
		}
		var spec valueSpec
		if err := json.Unmarshal(job.Spec, &spec); err != nil {
			return nil, err
		}
		e, ok := v.idle.Get().(*cfr.PieceEvaluator)
		if !ok {
			e = cfr.NewPieceEvaluator(v.layout, v.weights)
		}
		values, err := e.Value(spec.Player, spec.From, spec.To)
		v.idle.Put(e)
		if err != nil {
			return nil, err
		}
		out := make([]byte, 0, 8*len(values))
		for _, x := range values {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
		}
		return out, nil
	}
}

// valueJobs is about how many jobs the pieces of a player are shared out in.
const valueJobs = 128

// evaluate values the strategy of a file on a grid, to the same bits as here.
func (f *gridFlags) evaluate(ctx context.Context, file string, l *cfr.Layout, weights []float32, threads int) (cfr.Evaluation, error) {
	g, end, err := f.open(ctx, threads)
	if err != nil {
		return cfr.Evaluation{}, err
	}
	defer end()
	shared, err := os.ReadFile(file)
	if err != nil {
		return cfr.Evaluation{}, err
	}
	size := max(1, l.Pieces()/valueJobs)
	var specs []valueSpec
	for p := range l.Tree.Game.NumPlayers {
		for from := 0; from < l.Pieces(); from += size {
			specs = append(specs, valueSpec{p, from, min(from+size, l.Pieces())})
		}
	}
	name := jobs.NewRun("evaluate")
	jobs := func(yield func(grid.Job) bool) {
		for i, s := range specs {
			spec, err := json.Marshal(s)
			if err != nil {
				panic(err) // numbers
			}
			if !yield(grid.Job{Run: name, Shard: i, Kind: valueKind, Spec: spec, Shared: shared}) {
				return
			}
		}
	}
	return cfr.EvaluatePieces(l, weights, threads, func(take func(int, int, []float64) error) error {
		return g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
			if len(result)%8 != 0 {
				return fmt.Errorf("%v: %d bytes are no floats", job, len(result))
			}
			values := make([]float64, len(result)/8)
			for i := range values {
				values[i] = math.Float64frombits(binary.LittleEndian.Uint64(result[8*i:]))
			}
			return take(specs[job.Shard].Player, specs[job.Shard].From, values)
		})
	})
}
