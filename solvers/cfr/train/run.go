package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/parallel"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/strategy"
)

// Job is a training from its description to its files, which [Run] does. Results depend on the spec
// and the goals; the other fields are the threads, the devices and the files.
type Job struct {
	Spec
	Options
	Device cudalib.Choice

	File  string // strategy file; the training itself is saved beside it, in FILE.checkpoint
	Goal  Goal
	Limit time.Duration // time after which all runs together end, or 0
	Fresh bool          // begin again, and replace the strategy and the checkpoint of another training

	Curve   string // file for all evaluations, in CSV, or "" for none
	Plotted bool   // refuse a training without evaluations, which a chart needs

	// Start, if not "", is a checkpoint of public chance sampling, with whose average strategy CFR-BR
	// begins.
	Start      string
	NoResponse bool // learn no response to a strategy that cannot be evaluated

	// The hooks are called by the goroutine of Run, OnPrepare and OnRespond by others, too. Each may
	// be nil.

	// OnBegin is called before the first iteration of this run, with the device in words.
	OnBegin func(s *Session, device string, resumed bool)
	// OnProgress is called after every iteration, or after several that a device does at once.
	OnProgress func(Progress)
	// OnCheckpoint is called after a checkpoint during the training, with an error if it could not be
	// written. Training goes on then: the checkpoint before is still there, and a disk that is full
	// now may not be at the end.
	OnCheckpoint func(error)
	// OnCurve is called if the file of the curve cannot be written. Training goes on then.
	OnCurve func(error)
	// OnEnd is called after the last iteration, with the error of the iterations and of saving.
	OnEnd func(Progress, error)
	// OnRespond is called with the part of learning a response that is done.
	OnRespond func(part float64)
}

// Run does a training: it claims the strategy file, opens the game, moves to the device, resumes from
// the checkpoint beside the file or begins, trains, saves, learns a response where nothing else tells
// how good the strategy is, and writes the curve.
//
// When ctx is done it ends after the iteration at work, and saves the same; but before the first
// iteration it saves nothing and returns the cause, and after too few for a strategy it returns
// [ErrTooShort]. While it prepares or learns a response it returns at once.
//
// Errors in the description are of type [*Error], those of the strategy file [*checkpoint.OutputError]
// and those of its checkpoint [*checkpoint.ResumeError]. With a [*SaveError], a [*TargetError] and
// an error of the curve's file, there is a result.
func Run(ctx context.Context, j Job) (*Result, error) {
	if err := j.check(); err != nil {
		return nil, err
	}
	magic := strategy.Magic
	if j.Tree != nil {
		magic = extensive.ProfileMagic
	}
	release, err := checkpoint.Claim(j.File, magic, j.Fresh)
	if err != nil {
		return nil, err
	}
	defer release()
	t, err := parallel.Await(ctx, func() (*Training, error) {
		t, err := OpenOn(j.Device, j.Spec, j.Options)
		if err == nil && ctx.Err() != nil { // nobody waits for it any more
			err = cmp.Or(t.Close(), context.Cause(ctx))
		}
		return t, err
	})
	if err != nil {
		return nil, err
	}
	defer t.Close() // the results are no longer on the device
	s, resumed, err := j.begin(t)
	if err != nil {
		return nil, err
	}
	if j.OnBegin != nil {
		j.OnBegin(s, t.layout().where, resumed)
	}
	p, err := s.run(ctx)
	if j.OnEnd != nil {
		j.OnEnd(p, err)
	}
	failed, _ := errors.AsType[*SaveError](err)
	if err == ErrTooShort {
		err = fmt.Errorf("interrupted after %s: %w", usererr.Iterations(p.Iterations), err)
	}
	if err != nil && failed == nil {
		return nil, err
	}
	r := s.result(p)
	if failed != nil && failed.Strategy != nil {
		r.File = ""
	} else if !j.NoResponse && ctx.Err() == nil {
		r.Response, err = parallel.Await(ctx, func() (*Response, error) { return t.respond(ctx, j.OnRespond) })
		if err != nil && ctx.Err() == nil { // an interruption only loses the response
			return nil, err
		}
	}
	noCurve := s.writeCurve()
	switch {
	case failed != nil:
		return r, failed
	case noCurve != nil || ctx.Err() != nil:
		return r, noCurve
	}
	return r, j.Goal.missed(p, r.Unit)
}

// check returns an error for settings that make no sense in any game, or not in this one. It bounds the goal.
func (j *Job) check() (err error) {
	if j.Tree != nil {
		if err := j.Tree.refuse(FieldStart, j.Start != ""); err != nil {
			return err
		}
	}
	_, _, noUnit := j.Unit()
	switch {
	case j.Curve != "" && filepath.Ext(j.Curve) != ".csv":
		return &Error{FieldPlot, fmt.Errorf("%s is not a .csv file", j.Curve)}
	case (j.Curve != "" || j.Plotted) && noUnit != nil:
		return &Error{FieldPlot, noUnit}
	}
	j.Goal, err = j.Algorithm.bound(j.Goal)
	return err
}

// Payoffs is the unit of results of extensive games.
const Payoffs = "payoffs"

// Result is what a training has found. Values that could not be computed are nil.
type Result struct {
	Game           string    `json:"game"`
	Algorithm      string    `json:"algorithm"`
	Abstraction    string    `json:"abstraction,omitempty"`
	Actions        string    `json:"actions,omitempty"`
	InfoSets       int       `json:"information_sets"`
	Iterations     uint64    `json:"iterations"`
	Seconds        float64   `json:"seconds"`
	Values         []float64 `json:"values"`
	Exploitability *float64  `json:"exploitability"`
	NashConv       *float64  `json:"nash_conv,omitempty"` // instead of exploitability, for more than two players
	Unit           string    `json:"unit"`
	File           string    `json:"file"`  // "" if there was no room for it
	Bytes          int64     `json:"bytes"` // size of regrets and strategies
	AverageUtility []float64 `json:"average_utility,omitempty"`
	Response       *Response `json:"response,omitempty"`

	Curve []checkpoint.Point `json:"-"` // all evaluations
}

// result describes the session at its end.
func (s *Session) result(p Progress) *Result {
	r := &Result{
		Game: s.Spec.Name(), Algorithm: s.Algorithm(), Abstraction: s.Cards, Actions: s.Spec.Actions.Meta(),
		InfoSets: s.InfoSets, Bytes: s.Bytes, Iterations: p.Iterations, Seconds: s.meta.Seconds,
		Values:         p.Evaluation.Value,
		Exploitability: s.strategyMeta(p).Exploitability, Unit: "chips", File: s.job.File,
		AverageUtility: s.AverageUtility(), Curve: s.meta.Curve,
	}
	if s.Spec.Tree != nil {
		r.Unit = Payoffs
	}
	if s.Spec.Players() > 2 && r.Exploitability != nil {
		x := p.Evaluation.NashConv()
		r.Exploitability, r.NashConv = nil, &x
	}
	return r
}
