package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"gamebots/acpc"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
	"gamebots/solvers/evaluate/bestresponse"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sampleFlags are the flags of evaluate --real --sample.
type sampleFlags struct {
	on     bool
	boards int
	time   time.Duration
	seed   uint64
}

// defaultSampleTime is the time of a sample for which neither boards nor a time are given.
const defaultSampleTime = 10 * time.Minute

func (f *sampleFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "sample", false, "with --real: estimate a lower bound from boards drawn at random")
	flags.IntVar(&f.boards, "boards", 0, "with --sample: draw this many boards")
	flags.DurationVar(&f.time, "time", 0, "with --sample: draw boards for this time, as in 30s or 1h (default 10m)")
	flags.Uint64Var(&f.seed, "seed", 0, "with --sample: seed of the drawn boards; with --learned: of the first response; with --lbr: of the deals")
}

// check returns an error for flags that cannot be combined.
func (f *sampleFlags) check(cmd *cobra.Command, real bool) error {
	changed := cmd.Flags().Changed
	for _, name := range []string{"boards", "time"} {
		if changed(name) && !f.on {
			return usererr.Usagef("--%s has no effect without --sample", name)
		}
	}
	switch {
	case changed("seed") && !f.on && !changed("learned") && !changed("lbr"):
		return usererr.Usagef("--seed has no effect without --sample, --learned or --lbr")
	case f.on && !real:
		return usererr.Usagef("--sample has no effect without --real")
	case changed("boards") && f.boards < bestresponse.MinSample:
		return usererr.Usagef("--boards %d: want at least %d", f.boards, bestresponse.MinSample)
	case changed("time") && f.time <= 0:
		return usererr.Usagef("--time %v: want a time over 0", f.time)
	}
	return nil
}

// partly reports whether a sample leaves boards out.
func (f *sampleFlags) partly(r *bestresponse.Response) bool {
	return f.on && r.Parts() > max(f.boards, bestresponse.MinSample)
}

// deviceBatch is how many boards are drawn at once for a device: enough that it is busy
// for most of the time.
const deviceBatch = 64

// draw draws boards and values them, until there are enough or the time is over. Boards
// that are begun are finished.
func (f *sampleFlags) draw(cmd *cobra.Command, a *answer) (*bestresponse.Sample, error) {
	bar := cli.NewPartBar(cmd.ErrOrStderr(), zerolog.Ctx(cmd.Context()), "answering boards drawn at random")
	defer bar.Close()
	s, start, limit, boards, batch := a.NewSample(f.seed), time.Now(), f.time, f.boards, a.threads
	if len(a.devices) > 0 {
		batch = deviceBatch
	}
	switch {
	case boards == 0:
		limit, boards = cmp.Or(limit, defaultSampleTime), math.MaxInt
	case limit == 0:
		limit, batch = math.MaxInt64, boards
	}
	for s.Len() < bestresponse.MinSample || s.Len() < boards && time.Since(start) < limit && len(a.Missing(a.parts)) > 0 {
		var list []int
		for _, part := range s.Draw(min(batch, boards-s.Len())) {
			if a.parts[part][0] == nil && !slices.Contains(list, part) {
				list = append(list, part)
			}
		}
		done := s.Len() - len(list)
		err := a.value(list, func() {
			done++
			part := max(float64(done)/float64(boards), float64(time.Since(start))/float64(limit))
			bar.Update(min(1, part, float64(done)/bestresponse.MinSample))
		})
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// printBound prints a lower bound of exploitability.
func (f *realFlags) printBound(w io.Writer, g *acpc.Game, name string, boards int, b bestresponse.Bound) error {
	if f.asJSON {
		return json.NewEncoder(w).Encode(struct {
			Game       string     `json:"game"`
			Strategy   string     `json:"strategy"`
			Response   [2]float64 `json:"response"`
			LowerBound float64    `json:"lower_bound"`
			Interval95 float64    `json:"interval95"`
			Boards     int        `json:"boards"`
			Seed       uint64     `json:"seed"`
			Real       bool       `json:"real"`
			Sampled    bool       `json:"sampled"`
			Unit       string     `json:"unit"`
		}{g.Name, name, [2]float64{b.Responses[0].Value, b.Responses[1].Value}, b.Mean.Value, b.Mean.Interval95, boards, f.sample.seed, true, true, "chips"})
	}
	fmt.Fprintf(w, "%s: %s, answered in the game itself on %d boards drawn at random\nposition  a response (95%% interval)\n", g.Name, name, boards)
	for p, x := range b.Responses {
		fmt.Fprintf(w, "%8d  %s\n", p+1, figures.ChipsWithin(x.Value, x.Interval95, g))
	}
	_, err := fmt.Fprintf(w, "exploitability  %s\n", figures.Usual(g).AtLeast(b.Mean.Value, b.Mean.Interval95))
	return err
}
