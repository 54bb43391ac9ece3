package train

import (
	"errors"

	"gamebots/cudalib"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/cfr/publictree"
)

// vector is the backend of algorithms in vector form.
type vector struct {
	*laidOut
	game    *publictree.Layout
	threads int
	average func() publictree.Evaluation
	current func() publictree.Evaluation
}

func layOutVector(s Spec, o Options) (backend, error) {
	kind, err := abstraction.ParseKind(s.Cards)
	if err != nil {
		return nil, err
	}
	game, err := publictree.Prepare(s.Game, s.Actions, kind, o.Memory)
	if err != nil {
		return nil, err
	}
	// A device does not train here, and its checkpoints are made here.
	if err := s.Algorithm.vector.Fits(game, o.Memory); err != nil {
		return nil, err
	}
	v := &vector{game: game, threads: o.Threads, laidOut: &laidOut{
		spec: s, algorithm: s.Algorithm.String(), cards: kind.String(), infoSets: game.InfoSets(), devices: 1,
	}}
	v.worthwhile, v.reason = ondevice.DeviceWorthwhile(game)
	return v, nil
}

func (v *vector) bytes(int) int64 {
	return 2 * int64(v.spec.Algorithm.bits()/8) * int64(v.game.Entries)
}

func (v *vector) start(devices []*cudalib.Device) (Trainer, error) {
	a := v.spec.Algorithm.vector
	if len(devices) > 0 {
		return v.startOnDevice(devices[0], a)
	}
	return v.evaluated(cfr.NewTrainer(v.game, a, v.threads)), nil
}

// weighted is a trainer that tells both of its strategies, for an evaluator.
type weighted interface {
	Trainer
	Weights() []float32
	CurrentWeights() []float32
}

// evaluated returns a trainer whose strategies are evaluated on the CPU.
func (v *vector) evaluated(t weighted) Trainer {
	value := publictree.NewEvaluator(v.game, v.threads).Evaluate
	v.average = func() publictree.Evaluation { return value(t.Weights()) }
	v.current = func() publictree.Evaluation { return value(t.CurrentWeights()) }
	return t
}

// onDevice is a trainer on a device that has an evaluator beside it.
type onDevice struct {
	*ondevice.Trainer
	evaluator *ondevice.Evaluator
}

// Close frees the memory of both.
func (t *onDevice) Close() error { return errors.Join(t.evaluator.Close(), t.Trainer.Close()) }

func (v *vector) startOnDevice(d *cudalib.Device, a cfr.Algorithm) (Trainer, error) {
	t, err := ondevice.NewTrainer(d, v.game, a, 1)
	if err != nil {
		return nil, err
	}
	var trainer Trainer = t
	if e, err := ondevice.NewEvaluator(d, v.game); err == nil {
		v.average, trainer = func() publictree.Evaluation { return e.EvaluateTrainer(t) }, &onDevice{t, e}
	} else { // training may just fit
		v.where += "; evaluations on the CPU: " + err.Error()
		v.evaluated(t)
	}
	v.current = func() publictree.Evaluation { return publictree.Evaluation{} } // the device has the regrets
	return trainer, nil
}

func (v *vector) Evaluate() publictree.Evaluation        { return v.average() }
func (v *vector) EvaluateCurrent() publictree.Evaluation { return v.current() }
