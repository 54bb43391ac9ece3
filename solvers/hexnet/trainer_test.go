package hexnet_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
)

// randomTargets returns targets for random planes.
func randomTargets(s *hexnet.Shape, boards int, seed uint64) *hexnet.Targets {
	stream := rng.Stream(seed)
	t := &hexnet.Targets{}
	for range boards {
		sum := float32(0)
		policy := make([]float32, s.Cells)
		for cell := range policy {
			if policy[cell] = -1; stream.IntN(4) > 0 {
				policy[cell] = stream.Float32()
				sum += policy[cell]
			}
		}
		reply := int16(-1)
		for cell := range policy {
			if policy[cell] >= 0 {
				policy[cell] /= sum
				if stream.IntN(s.Cells/2) == 0 {
					reply = int16(cell)
				}
			}
			t.Structure = append(t.Structure, int8(stream.IntN(3)-1))
		}
		t.Policy = append(t.Policy, policy...)
		t.Reply = append(t.Reply, reply)
		t.Value = append(t.Value, float32(stream.IntN(3)-1))
		t.Kinds = append(t.Kinds, uint8(stream.IntN(8)))
	}
	return t
}

// entropy returns the cross entropy of a logit and a probability.
func entropy(x, target float64) float64 {
	p := 1 / (1 + math.Exp(-x))
	return -target*math.Log(p) - (1-target)*math.Log(1-p)
}

// losses returns the losses of one board's outputs.
func (o naiveOutputs) losses(t *hexnet.Targets, board int) (l hexnet.Losses) {
	cells := len(o.cells)
	first := board * cells
	cross := func(head int, target func(cell int) float64) (loss float64) {
		sum := 0.
		for cell := range cells {
			if t.Policy[first+cell] >= 0 {
				sum += math.Exp(o.cells[cell][head])
			}
		}
		for cell := range cells {
			if t.Policy[first+cell] >= 0 {
				loss -= target(cell) * (o.cells[cell][head] - math.Log(sum))
			}
		}
		return loss
	}
	l.Policy = cross(0, func(cell int) float64 { return float64(t.Policy[first+cell]) })
	if reply := int(t.Reply[board]); reply >= 0 {
		l.Reply = cross(1, func(cell int) float64 { return indicator(cell == reply) })
	}
	for cell := range cells {
		winner := t.Structure[first+cell]
		l.Structure += (entropy(o.cells[cell][2], indicator(winner > 0)) +
			entropy(o.cells[cell][3], indicator(winner < 0))) / float64(cells)
	}
	l.Value = entropy(2*o.board[0], (1+float64(t.Value[board]))/2)
	for k := range hexnet.Kinds {
		l.Kinds += entropy(o.board[1+k], float64(t.Kinds[board]>>k&1))
	}
	return l
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// The gradient is that of finite differences of the equations in float64, and so is the loss.
func TestGradientIsThatOfFiniteDifferences(t *testing.T) {
	for _, test := range []struct {
		config hexnet.Config
		side   int
	}{{hexnet.Config{Blocks: 2, Channels: 16}, 3}, {hexnet.Config{Blocks: 4, Channels: 32}, 2}} {
		g, s := shapeOf(t, test.side)
		const boards = 19 // more than parts of a batch
		n := randomNet(test.config, 11)
		planes, targets := randomPlanes(s, boards, 4), randomTargets(s, boards, 4)
		loss := func(parameters []float64) (mean hexnet.Losses) {
			for board := range boards {
				o := naive{config: n.Config, grid: g,
					parameters: parameters}.forward(planes[board*s.Cells*hexnet.Planes:][:s.Cells*hexnet.Planes])
				l := o.losses(targets, board)
				mean.Policy += l.Policy / boards
				mean.Value += l.Value / boards
				mean.Reply += l.Reply / boards
				mean.Structure += l.Structure / boards
				mean.Kinds += l.Kinds / boards
			}
			return mean
		}
		gradient, losses, err := hexnet.NewTrainer(hexnet.NewState(n), 2).Gradient(s, planes, targets)
		if err != nil {
			t.Fatal(err)
		}
		parameters := widen(n.Parameters)
		want := loss(parameters)
		for name, pair := range map[string][2]float64{
			"policy": {losses.Policy, want.Policy}, "value": {losses.Value, want.Value},
			"reply":     {losses.Reply, want.Reply},
			"structure": {losses.Structure, want.Structure}, "kinds": {losses.Kinds, want.Kinds},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-5*(1+pair[1]) {
				t.Errorf("%v: %s loss %g, want %g", n.Config, name, pair[0], pair[1])
			}
		}
		// difference compares the derivative in a direction. With float64 and a smooth loss
		// the error is of the order of step².
		difference := func(name string, direction func(i int) float64) {
			const step = 1e-6
			up, down, got := slices.Clone(parameters), slices.Clone(parameters), 0.
			for i := range parameters {
				d := direction(i)
				up[i] += step * d
				down[i] -= step * d
				got += float64(gradient[i]) * d
			}
			want := (loss(up).Total() - loss(down).Total()) / (2 * step)
			if math.Abs(got-want) > 1e-4*(0.1+math.Abs(want)) {
				t.Errorf("%v: derivative in direction %s is %g, want %g", n.Config, name, got, want)
			}
		}
		stream := rng.Stream(1)
		for range 20 {
			at := stream.IntN(len(parameters))
			difference("of a parameter", func(i int) float64 { return indicator(i == at) })
		}
		for part := range 12 {
			difference("of a stretch", func(i int) float64 {
				return indicator(i*12/len(parameters) == part) * (stream.Float64() - 0.5)
			})
		}
	}
}

// state returns the state of a learner.
func state(t *testing.T, l hexnet.Learner) *hexnet.State {
	t.Helper()
	s, err := l.State()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Training learns a batch by heart.
func TestTrainingLowersTheLoss(t *testing.T) {
	_, s := shapeOf(t, 3)
	const boards = 32
	planes, targets := randomPlanes(s, boards, 1), randomTargets(s, boards, 1)
	trainer := hexnet.NewTrainer(hexnet.NewState(hexnet.New(hexnet.Config{Blocks: 2, Channels: 32}, 5)), 2)
	var first, last hexnet.Losses
	for step := range 60 {
		losses, err := trainer.Step(s, planes, targets, 3e-3)
		if err != nil {
			t.Fatal(err)
		}
		if last = losses; step == 0 {
			first = losses
		}
	}
	if last.Reply > 0.1 || last.Value > 0.3 || last.Total() > first.Total() {
		t.Errorf("losses %+v at first, then %+v", first, last)
	}
}

// States after the same steps are the same to the bit, whatever the number of threads.
func TestTrainingDoesNotDependOnThreads(t *testing.T) {
	_, s := shapeOf(t, 3)
	_, larger := shapeOf(t, 4)
	const boards = 37
	train := func(threads int) *hexnet.State {
		trainer := hexnet.NewTrainer(hexnet.NewState(hexnet.New(hexnet.Config{Blocks: 2, Channels: 16}, 5)), threads)
		for i := range uint64(3) {
			shape := s
			if i == 1 {
				shape = larger
			}
			planes, targets := randomPlanes(shape, boards, i), randomTargets(shape, boards, i)
			if _, err := trainer.Step(shape, planes, targets, 1e-3); err != nil {
				t.Fatal(err)
			}
		}
		return state(t, trainer)
	}
	one, many := train(1), train(5)
	if !slices.Equal(one.Net.Parameters, many.Net.Parameters) || !slices.Equal(one.Average, many.Average) ||
		one.Net.Origin.Steps != 3 {
		t.Errorf("other parameters with more threads, after %d steps", one.Net.Origin.Steps)
	}
}

func TestStepRefusesTargetsOfOtherBoards(t *testing.T) {
	_, s := shapeOf(t, 2)
	trainer := hexnet.NewTrainer(hexnet.NewState(hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 5)), 1)
	for name, targets := range map[string]*hexnet.Targets{
		"fewer boards": randomTargets(s, 1, 1),
		"reply too large": func() *hexnet.Targets {
			t := randomTargets(s, 2,
				1)
			t.Reply[1] = int16(s.Cells)
			return t
		}(),
	} {
		if _, err := trainer.Step(s, randomPlanes(s, 2, 1), targets, 1e-3); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A step from a network that is too large for float32 is refused, and changes nothing.
func TestStepRefusesToDiverge(t *testing.T) {
	_, s := shapeOf(t, 2)
	n := randomNet(hexnet.Config{Blocks: 2, Channels: 16}, 5)
	for i := range n.Parameters {
		n.Parameters[i] *= 1e15
	}
	before := slices.Clone(n.Parameters)
	trainer := hexnet.NewTrainer(hexnet.NewState(n), 1)
	_, err := trainer.Step(s, randomPlanes(s, 2, 1), randomTargets(s, 2, 1), 1e-3)
	if !errors.Is(err, hexnet.ErrDiverged) {
		t.Errorf("error %v", err)
	}
	if !slices.Equal(n.Parameters, before) {
		t.Error("the parameters have changed")
	}
}
