package train

import (
	"errors"
	"fmt"

	"gamebots/cudalib"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/cfr/publictree"
)

// MoveToDevice moves a training that has done no iteration to the device of a
// choice, and returns the device and the reason for people. With a choice of any
// device it stays on the CPU where a GPU would not be faster. Close frees the device.
func (t *Training) MoveToDevice(choice cudalib.Choice) (where string, err error) {
	switch {
	case t.Spec.Tree != nil && choice.GPU():
		return "", &Error{FieldDevice, fmt.Errorf("%v was asked for, and extensive games are trained on a CPU", choice)}
	case t.Spec.Tree != nil:
		return "the CPU", nil
	case t.evaluator != nil:
		return t.moveVector(choice)
	}
	if where, err = t.moveSampler(choice); err == nil && t.release == nil {
		err = t.tooLarge // it stays on the CPU
	}
	return where, err
}

func (t *Training) moveVector(choice cudalib.Choice) (where string, err error) {
	layout := t.evaluator.Layout
	switch double := t.Spec.Algorithm.Vector().Double; {
	case double && choice.GPU():
		return "", &Error{FieldDevice, fmt.Errorf("%v was asked for, and numbers of 64 bits are for the CPU", choice)}
	case double:
		return "the CPU, which has numbers of 64 bits", nil
	}
	if worthwhile, reason := ondevice.Worthwhile(layout); !worthwhile && !choice.GPU() && !choice.CPU() {
		return "the CPU: " + reason, nil
	}
	d, where, err := choice.Open()
	if d == nil {
		return where, err
	}
	gpu, err := ondevice.NewTrainer(d, layout, t.Spec.Algorithm.Vector(), 1)
	if err != nil {
		return stayOnCPU(choice, errors.Join(err, d.Close()))
	}
	t.Trainer, t.release = gpu, []func() error{gpu.Close, d.Close}
	e, err := ondevice.NewEvaluator(d, layout)
	if err != nil { // training may just fit
		t.evaluate = func() publictree.Evaluation { return t.evaluator.Evaluate(gpu.Weights()) }
		//lint:ignore nilerr the error is in the text
		return where + "; evaluations on the CPU: " + err.Error(), nil
	}
	t.release = []func() error{e.Close, gpu.Close, d.Close}
	t.evaluate = func() publictree.Evaluation { return e.EvaluateTrainer(gpu) }
	return where, nil
}

func (t *Training) moveSampler(choice cudalib.Choice) (where string, err error) {
	switch {
	case t.to == nil && choice.GPU():
		return "", &Error{FieldDevice, fmt.Errorf("%v was asked for, and %s is for the CPU", choice, t.Algorithm())}
	case t.to == nil:
		return "the CPU, which samples", nil
	case !t.worthwhile && !choice.GPU() && !choice.CPU():
		return "the CPU: " + t.reason, nil
	}
	devices, where, err := t.openDevices(choice)
	if len(devices) == 0 {
		return where, err
	}
	gpu, err := t.to(devices)
	if err != nil {
		return stayOnCPU(choice, errors.Join(err, cudalib.CloseAll(devices)))
	}
	t.Trainer, t.sampler, t.release = gpu, gpu, []func() error{gpu.Close,
		func() error { return cudalib.CloseAll(devices) }}
	return where, nil
}

// openDevices opens the GPUs of a choice, as many as can share the work.
func (t *Training) openDevices(choice cudalib.Choice) (devices []*cudalib.Device, where string, err error) {
	if t.atOnce > 1 {
		all, where, err := choice.OpenAll()
		if len(all) <= t.atOnce {
			return all, where, err
		}
		where = fmt.Sprintf("%d of %s: %s uses no more", t.atOnce, where, t.Algorithm())
		return all[:t.atOnce], where, cudalib.CloseAll(all[t.atOnce:])
	}
	d, where, err := choice.Open()
	if d != nil {
		devices = append(devices, d)
	}
	return devices, where, err
}

// stayOnCPU returns why a training stays on the CPU, or the error if a GPU was asked
// for.
func stayOnCPU(choice cudalib.Choice, err error) (where string, _ error) {
	if choice.GPU() {
		return "", err
	}
	return "the CPU: " + err.Error(), nil
}
