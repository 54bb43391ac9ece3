package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"

	"gamebots/acpc"
	"gamebots/bots/grid"
	"gamebots/bots/poker"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/evaluate/bestresponse/ondevice"
	"gamebots/solvers/policy"
)

// RealKind is the kind of jobs that value parts of a best response in the game itself, done
// by [RealJob]. The shared part is a [RealStrategy], the spec the numbers of the parts, both
// as JSON, and the result the parts' values, as they are encoded, one after the other.
const RealKind = "real"

// RealStrategy is the strategy to answer: that of a file, as it is played, or a simple one in
// a game.
type RealStrategy struct {
	File  []byte       `json:"file,omitempty"`
	Style poker.Style  `json:"style"`
	Plain policy.Plain `json:"plain,omitempty"`
	Name  string       `json:"name,omitempty"` // name of the game
	Game  string       `json:"game,omitempty"` // its definition
	// Actions are the raises of a simple strategy, or for that of a file those of the response beside them, see
	// [betting.Actions.Meta].
	Actions string `json:"actions,omitempty"`
}

// response prepares the best responses. They look up the buckets of nearly all hands, so those
// that the file leaves out are computed first.
func (s *RealStrategy) response(ctx context.Context) (*bestresponse.Response, error) {
	raises, err := betting.ParseMeta(s.Actions)
	if err != nil {
		return nil, err
	}
	if s.Plain != "" {
		g, err := acpc.ParseGame(s.Name, s.Game)
		if err != nil {
			return nil, err
		}
		strategy, err := bestresponse.PlainIn(s.Plain, g, raises)
		if err != nil {
			return nil, err
		}
		return bestresponse.New(strategy), nil
	}
	var strategy *bestresponse.Strategy
	if err := withPolicy(s.File, func(p *policy.Policy) error {
		full, err := p.Full(memory.Available())
		if err == nil {
			err = full.FillBuckets(ctx, runtime.NumCPU(), func(float64) {})
		}
		if err == nil {
			strategy, err = bestresponse.Read(full, s.Style.Apply)
		}
		return err
	}); err != nil {
		return nil, err
	}
	if !raises.All() {
		return bestresponse.NewWith(strategy, raises)
	}
	return bestresponse.New(strategy), nil
}

// realParts is the number of parts of a job: enough for a GPU to be busy.
const realParts = 16

// RealJob returns the function that does jobs of RealKind. Large games are valued on all
// GPUs of the machine, one job at a time; without a GPU a job has a thread. It keeps the
// strategies of the latest runs.
func RealJob() grid.Func {
	var responses grid.Memo[*bestresponse.Response]
	var gpus sync.Mutex
	return func(ctx context.Context, job grid.Job) ([]byte, error) {
		r, err := responses.Get(job.Shared, func(shared []byte) (*bestresponse.Response, error) {
			var s RealStrategy
			if err := json.Unmarshal(shared, &s); err != nil {
				return nil, err
			}
			return s.response(ctx)
		})
		if err != nil {
			return nil, err
		}
		var parts []int
		if err := json.Unmarshal(job.Spec, &parts); err != nil {
			return nil, err
		}
		for _, part := range parts {
			if part < 0 || part >= r.Parts() {
				return nil, fmt.Errorf("part %d of %d", part, r.Parts())
			}
		}
		values := make([]bestresponse.PartValues, r.Parts())
		take := func(part int, v bestresponse.PartValues) error {
			values[part] = v
			return nil
		}
		if r.DeviceWorthwhile() {
			err = valueAnywhere(ctx, r, &gpus, parts, take)
		} else {
			err = r.Value(ctx, parts, 1, take)
		}
		if err != nil {
			return nil, err
		}
		var out []byte
		for _, part := range parts {
			out = append(out, values[part].Encode()...)
		}
		return out, nil
	}
}

// valueAnywhere values parts on all GPUs, or on the CPU where there is none. Whoever has
// the mutex uses the GPUs.
func valueAnywhere(
	ctx context.Context, r *bestresponse.Response, gpus *sync.Mutex, parts []int,
	take func(int, bestresponse.PartValues) error,
) error {
	gpus.Lock()
	devices, _, err := cudalib.AllGPUs().OpenAll()
	if err != nil { // no GPU
		gpus.Unlock()
		return r.Value(ctx, parts, 1, take)
	}
	defer gpus.Unlock()
	defer cudalib.CloseAll(devices)
	return r.ValueOn(ctx, ondevice.Of(devices...), parts, runtime.NumCPU(), take)
}

// AnswerReal values parts of the best responses to a strategy on a grid, with the bits of
// [bestresponse.Response.Value].
func AnswerReal(
	ctx context.Context, g grid.Grid, s RealStrategy, r *bestresponse.Response, parts []int,
	take func(part int, values bestresponse.PartValues) error,
) error {
	shared, name := mustMarshal(s), NewRun("real")
	from := func(shard int) []int { return parts[shard*realParts : min((shard+1)*realParts, len(parts))] }
	jobs := func(yield func(grid.Job) bool) {
		total := (len(parts) + realParts - 1) / realParts
		for shard := range total {
			if !yield(grid.Job{Run: name, Shard: shard, Total: total, Kind: RealKind,
				Spec: mustMarshal(from(shard)), Shared: shared}) {
				return
			}
		}
	}
	return g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
		list := from(job.Shard)
		size := len(result) / len(list)
		if size*len(list) != len(result) {
			return fmt.Errorf("%v: %d bytes for %d parts", job, len(result), len(list))
		}
		for i, part := range list {
			values, err := r.Decode(result[i*size:][:size])
			if err != nil {
				return fmt.Errorf("%v: %w", job, err)
			}
			if err := take(part, values); err != nil {
				return err
			}
		}
		return nil
	})
}
