package experiment

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"gamebots/bots/grid"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"
)

// Results are the curves of runs, and their file. It has a line of JSON for each run: {"run",
// "version", "unit", "curve"}. Lines are only added, so that no run replaces another.
type Results struct {
	file    *os.File
	version string
	done    map[string]record // key is the run's
}

// record is a line of the file.
type record struct {
	Run     Run                `json:"run"`
	Version string             `json:"version"` // the program that wrote the line
	Unit    string             `json:"unit"`    // the unit of the curve: chips a hand
	Curve   []checkpoint.Point `json:"curve"`
}

// Open reads the results in a file, and creates it if it is not there. Runs that are added have
// the version. A program that was killed may have left a part of a line at the end, which is
// removed. Only one program may have the file open.
func Open(path, version string) (*Results, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	r := &Results{file: file, version: version, done: map[string]record{}}
	if err := r.read(path); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return r, nil
}

func (r *Results) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	number := 0
	for line := range bytes.Lines(text[:whole]) {
		number++
		var x record
		if err := json.Unmarshal(line, &x); err != nil {
			return fmt.Errorf("%s:%d: not the result of a run: %w", path, number, err)
		}
		if len(x.Curve) == 0 || len(x.Curve) != len(x.Run.Evaluated) {
			return fmt.Errorf("%s:%d: not the result of a run: %d evaluations instead of %d", path, number,
				len(x.Curve), len(x.Run.Evaluated))
		}
		r.done[x.Run.key()] = x
	}
	if whole < len(text) {
		return r.file.Truncate(int64(whole))
	}
	return nil
}

// Close closes the file.
func (r *Results) Close() error { return r.file.Close() }

// Curve returns the evaluations of a run, nil if it was not done yet.
func (r *Results) Curve(run Run) []checkpoint.Point { return r.done[run.key()].Curve }

// OtherVersions returns how many runs of a plan were done by another version of the program,
// whose curves may differ.
func (r *Results) OtherVersions(p Plan) (n int) {
	for run := range p.runs() {
		if x, ok := r.done[run.key()]; ok && x.Version != r.version {
			n++
		}
	}
	return n
}

// add adds the curve of a run, also to the file.
func (r *Results) add(run Run, curve []checkpoint.Point) error {
	x := record{run.shortened(), r.version, "chips", curve}
	if run.isTree() {
		x.Unit = train.Payoffs
	}
	line, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if _, err := r.file.Write(append(line, '\n')); err != nil {
		return err
	}
	r.done[run.key()] = x
	return nil
}

// Missing returns the runs of a plan that were not done yet.
func (r *Results) Missing(p Plan) (missing []Run) {
	for run := range p.runs() {
		if r.Curve(run) == nil {
			missing = append(missing, run)
		}
	}
	return missing
}

// Complete has the missing runs of a plan done on a grid that knows [Kind]. It calls onDone, if
// that is not nil, after each. When ctx is done it returns the cause; runs that were done are
// in the file.
func (r *Results) Complete(ctx context.Context, g grid.Grid, p Plan, onDone func()) error {
	missing := r.Missing(p)
	name := "experiment " + rand.Text()
	jobs := func(yield func(grid.Job) bool) {
		for i, run := range missing {
			job := grid.Job{Run: name, Shard: i, Total: len(missing), Seed: run.Seed, Kind: Kind}
			job.Spec = []byte(run.text())
			if !yield(job) {
				return
			}
		}
	}
	return g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
		var curve []checkpoint.Point
		if err := json.Unmarshal(result, &curve); err != nil {
			return fmt.Errorf("%v: %w", job, err)
		}
		if err := r.add(missing[job.Shard], curve); err != nil {
			return err
		}
		if onDone != nil {
			onDone()
		}
		return nil
	})
}
