package jobs

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
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// EvaluateKind is the kind of jobs that evaluate pieces of a strategy's game. The
// shared part is the strategy file, the spec a piece range as JSON, and the result
// little-endian floats, as publictree.PieceEvaluator returns them.
const EvaluateKind = "value"

// pieceRange is the spec of an evaluation: the pieces [From, To) for a player.
type pieceRange struct{ Player, From, To int }

// evaluators are a strategy at a worker, and its evaluators.
type evaluators struct {
	layout  *publictree.Layout
	weights []float32
	idle    sync.Pool // *publictree.PieceEvaluator that no job uses
}

// newEvaluators reads a strategy from the bytes of its file and lays out its game.
func newEvaluators(file []byte) (*evaluators, error) {
	v := &evaluators{}
	err := withPolicy(file, func(p *policy.Policy) error {
		full, err := p.Full(memory.Available())
		if err != nil {
			return err
		}
		if v.layout, err = publictree.LayoutOf(full, memory.Available()); err == nil {
			v.weights, err = full.Weights()
		}
		return err
	})
	return v, err
}

// withPolicy calls read with the policy of a strategy file, of which it has the bytes. The policy
// may lack the last rounds. The bytes go through a temporary file: strategies are opened by name.
func withPolicy(file []byte, read func(*policy.Policy) error) (err error) {
	f, err := os.CreateTemp("", "gamebots-*.strategy")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.Write(file)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	p, err := policy.OpenPart(f.Name(), memory.Available(), nil)
	if err != nil {
		return err
	}
	defer p.Close()
	return read(p)
}

// EvaluateJob returns the function that does jobs of EvaluateKind. It keeps the
// strategies of the latest runs.
func EvaluateJob() grid.Func {
	var strategies grid.Memo[*evaluators]
	return func(_ context.Context, job grid.Job) ([]byte, error) {
		v, err := strategies.Get(job.Shared, newEvaluators)
		if err != nil {
			return nil, err
		}
		var pieces pieceRange
		if err := json.Unmarshal(job.Spec, &pieces); err != nil {
			return nil, err
		}
		e, ok := v.idle.Get().(*publictree.PieceEvaluator)
		if !ok {
			e = publictree.NewPieceEvaluator(v.layout, v.weights)
		}
		values, err := e.Value(pieces.Player, pieces.From, pieces.To)
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

// evaluateJobs is about the number of jobs for each player.
const evaluateJobs = 128

// EvaluateStrategy evaluates the strategy of a file on a grid, with the same bits as
// cfr on one machine. Layout and weights are those of the file.
func EvaluateStrategy(
	ctx context.Context, g grid.Grid, file string, l *publictree.Layout, weights []float32, threads int,
) (publictree.Evaluation, error) {
	shared, err := os.ReadFile(file)
	if err != nil {
		return publictree.Evaluation{}, err
	}
	size := max(1, l.Pieces()/evaluateJobs)
	var ranges []pieceRange
	for p := range l.Tree.Game.NumPlayers {
		for from := 0; from < l.Pieces(); from += size {
			ranges = append(ranges, pieceRange{p, from, min(from+size, l.Pieces())})
		}
	}
	name := NewRun("evaluate")
	pieces := func(yield func(grid.Job) bool) {
		for i, r := range ranges {
			job := grid.Job{Run: name, Shard: i, Total: len(ranges), Kind: EvaluateKind, Shared: shared}
			job.Spec = mustMarshal(r)
			if !yield(job) {
				return
			}
		}
	}
	return publictree.EvaluatePieces(l, weights, threads, func(take func(int, int, []float64) error) error {
		return g.Run(ctx, pieces, func(job grid.Job, result []byte) error {
			if len(result)%8 != 0 {
				return fmt.Errorf("%v: %d bytes are not floats", job, len(result))
			}
			values := make([]float64, len(result)/8)
			for i := range values {
				values[i] = math.Float64frombits(binary.LittleEndian.Uint64(result[8*i:]))
			}
			r := ranges[job.Shard]
			return take(r.Player, r.From, values)
		})
	})
}
