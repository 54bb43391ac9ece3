package hexnet

import (
	"errors"

	"gamebots/cudalib"
	"gamebots/cudalib/hexnetgpu"
)

// A DeviceTrainer is a [Trainer] on a GPU. Activations and their gradients are in half precision,
// so that gradients differ from a Trainer's by about a hundredth of their length. AdamW is the
// same to the bit. States after the same steps on the same device are the same to the bit.
type DeviceTrainer struct {
	gpu     *hexnetgpu.Learner
	state   *State
	steps   uint64
	behind  bool    // the state is behind that of the device
	rate    float64 // rate of the step that was started
	threads int
}

var _ Starter = (*DeviceTrainer)(nil)

// NewDeviceTrainer returns a trainer that goes on from a state, which it keeps and modifies. The
// network's channels must be a multiple of 32. Threads copy batches to the device.
func NewDeviceTrainer(s *State, d *cudalib.Device, threads int) (*DeviceTrainer, error) {
	if err := checkDevice(s.Net.Config); err != nil {
		return nil, err
	}
	gpu, err := hexnetgpu.NewLearner(d, deviceNetwork(s.Net))
	if err != nil {
		return nil, err
	}
	t := &DeviceTrainer{gpu: gpu, state: s, threads: threads}
	if err := t.SetState(s); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// Close is that of [Learner].
func (t *DeviceTrainer) Close() error { return t.gpu.Close() }

// Steps is that of [Learner].
func (t *DeviceTrainer) Steps() uint64 { return t.steps }

func deviceState(s *State) hexnetgpu.State {
	return hexnetgpu.State{Parameters: s.Net.Parameters, Average: s.Average, Momentum: s.Momentum, Variance: s.Variance}
}

// SetState is that of [Learner].
func (t *DeviceTrainer) SetState(s *State) error {
	if err := s.check(t.state.Net.Config); err != nil {
		return err
	}
	t.state, t.steps, t.behind = s, s.Net.Origin.Steps, false
	return t.gpu.SetState(deviceState(s))
}

// State is that of [Learner]. It copies from the device.
func (t *DeviceTrainer) State() (*State, error) {
	if t.behind {
		if err := t.gpu.ReadState(deviceState(t.state)); err != nil {
			return nil, err
		}
		t.state.Net.Origin.Steps, t.behind = t.steps, false
	}
	return t.state, nil
}

// Step is that of [Learner].
func (t *DeviceTrainer) Step(s *Shape, planes []uint8, targets *Targets, rate float64) (Losses, error) {
	if err := t.Prepare(s, planes, targets); err != nil {
		return Losses{}, err
	}
	if err := t.Start(rate); err != nil {
		return Losses{}, err
	}
	return t.Finish()
}

// Prepare is that of [Starter].
func (t *DeviceTrainer) Prepare(s *Shape, planes []uint8, targets *Targets) error {
	boards, err := s.boards(planes)
	if err != nil {
		return err
	}
	if err := targets.check(boards, s.Cells); err != nil {
		return err
	}
	b, err := t.gpu.Batch(s.deviceBoard(), boards)
	if err != nil {
		return err
	}
	inParts(t.threads, boards, func(from, to int) {
		first, last := from*s.Cells, to*s.Cells
		copy(b.Planes[first*Planes:last*Planes], planes[first*Planes:])
		copy(b.Policy[first:last], targets.Policy[first:])
		copy(b.Structure[first:last], targets.Structure[first:])
		copy(b.Reply[from:to], targets.Reply[from:])
		copy(b.Value[from:to], targets.Value[from:])
		copy(b.Kinds[from:to], targets.Kinds[from:])
	})
	return nil
}

// Start is that of [Starter].
func (t *DeviceTrainer) Start(rate float64) error {
	t.rate = rate
	return t.gpu.Start()
}

// Finish is that of [Starter].
func (t *DeviceTrainer) Finish() (Losses, error) {
	losses, squares, err := t.losses()
	if err != nil {
		return Losses{}, err
	}
	if !finite(losses.Total()) || !finite(squares) {
		return losses, ErrDiverged
	}
	u := updateOf(t.steps+1, squares)
	if err := t.gpu.Update(hexnetgpu.Update{Rate: t.rate, Scale: u.scale, Bias1: u.bias1, Bias2: u.bias2,
		Towards: u.towards}); err != nil {
		return Losses{}, err
	}
	t.steps++
	t.behind = true
	return losses, nil
}

// losses waits for the gradient of the mean loss of a batch, on the device, and returns the loss
// and the sum of the gradient's squares.
func (t *DeviceTrainer) losses() (mean Losses, squares float64, err error) {
	losses, squares, err := t.gpu.Wait()
	if err != nil {
		return Losses{}, 0, err
	}
	boards := len(losses) / 5
	for ; len(losses) > 0; losses = losses[5:] {
		mean.add(Losses{Policy: losses[0], Value: losses[1], Reply: losses[2], Structure: losses[3], Kinds: losses[4]},
			1/float64(boards))
	}
	return mean, squares, nil
}
