package selfplay

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
)

var small = Settings{Config: hexnet.Config{Blocks: 1, Channels: 16}, Sides: []int{3, 4}, Seed: 7}

// trained returns a training after some steps.
func trained(t *testing.T, threads, steps int) *Training {
	t.Helper()
	training, err := New(small, Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	step(t, training, steps)
	return training
}

func step(t *testing.T, training *Training, steps int) {
	t.Helper()
	for range steps {
		if _, err := training.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

func state(t *testing.T, training *Training) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := training.WriteState(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// starter makes the steps of a trainer as a device does.
type starter struct {
	*hexnet.Trainer
	shape   *hexnet.Shape
	planes  []uint8
	targets *hexnet.Targets
	losses  hexnet.Losses
	err     error
}

func (s *starter) Prepare(shape *hexnet.Shape, planes []uint8, targets *hexnet.Targets) error {
	s.shape, s.planes, s.targets = shape, planes, targets
	return nil
}

func (s *starter) Start(rate float64) error {
	s.losses, s.err = s.Step(s.shape, s.planes, s.targets, rate)
	return nil
}

func (s *starter) Finish() (hexnet.Losses, error) { return s.losses, s.err }

// A batch that is drawn while a device learns is the same.
func TestDrawnMeanwhile(t *testing.T) {
	want := trained(t, 1, 4)
	got := trained(t, 1, 0)
	got.learner = &starter{Trainer: got.learner.(*hexnet.Trainer)}
	step(t, got, 2)
	if got.batches[0].drawn.step != 2 {
		t.Errorf("the batch of step 2 is not drawn before it, but that of step %d", got.batches[0].drawn.step)
	}
	step(t, got, 2)
	if !bytes.Equal(state(t, got), state(t, want)) {
		t.Error("it learns something else")
	}
}

// Neither threads nor an interruption change what is learned.
func TestSameBits(t *testing.T) {
	want := trained(t, 1, 4)
	if got := trained(t, 3, 4); !bytes.Equal(state(t, got), state(t, want)) {
		t.Error("three threads learn something else")
	}
	half := trained(t, 2, 2)
	again, err := New(small, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.ReadState(bytes.NewReader(state(t, half))); err != nil {
		t.Fatal(err)
	}
	step(t, again, 2)
	if !bytes.Equal(state(t, again), state(t, want)) {
		t.Error("a training that was saved and read learns something else")
	}
}

// Learning changes the network, and its file says what it learned from.
func TestOrigin(t *testing.T) {
	n, err := trained(t, 2, 1).Net()
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(n.Parameters, hexnet.New(small.Config, small.Seed).Parameters) {
		t.Error("a step has changed nothing")
	}
	if o := n.Origin; o.Game != "havannah" || !slices.Equal(o.Sides, []int{3, 4}) || o.Steps != 1 || o.Seed != 7 {
		t.Errorf("origin %+v", o)
	}
}

// The operations of a training are those of its evaluations and of three for each position of a
// step, by side. Those of the network that it began with count, too.
func TestOperations(t *testing.T) {
	first := trained(t, 2, 3) // on sides 3, 4 and 3
	evaluation := func(cells int) float64 { return float64(2*cells*7*16) * (hexnet.Planes + 2*16) }
	want := 0.0
	for i, p := range first.pools {
		want += evaluation(p.grid.NumCells) * float64(p.played.Evaluations+3*256*uint64(2-i))
	}
	n, err := first.Net()
	if err != nil {
		t.Fatal(err)
	}
	if got := first.Operations(); got != want || n.Origin.Operations != want {
		t.Errorf("%g operations, %g of the network, not %g", got, n.Origin.Operations, want)
	}
	settings := small
	settings.Start = n
	second, err := New(settings, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	step(t, second, 1)
	if got, want := second.Operations()-want, evaluation(19)*float64(second.Played().Evaluations+3*256); got != want {
		t.Errorf("%g operations after a start, not %g", got, want)
	}
}

// A batch that keeps planes draws what a new one does, while positions replace others.
func TestSeen(t *testing.T) {
	for _, p := range trained(t, 2, 2).pools {
		n := p.grid.NumCells
		w := newWindow(n, 5)
		kept := newBatch(p.grid, w, 20, 2)
		for age := range min(40, p.window.size()) {
			from := p.window
			at := from.at(age)
			w.add(&sample{
				Cells: from.Cells[at*n:][:n], Policy: from.Policy[at*n:][:n], Last: from.Last[at],
				Reply: from.Reply[at],
				Value: from.Value[at], Kinds: from.Kinds[at],
			})
			fresh := newBatch(p.grid, w, 20, 1)
			for _, b := range []*batch{kept, fresh} {
				random := rng.Stream(uint64(age))
				if err := b.draw(w, &random); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(kept.planes, fresh.planes) {
				t.Fatalf("side %d: other planes after %d positions", p.grid.Side, age+1)
			}
		}
	}
}

// Recorded positions agree with the rules: stones are those of a game that goes on, policies
// are of empty cells, and winning structures belong to the winner.
func TestRecordedPositions(t *testing.T) {
	training := trained(t, 2, 2)
	for _, p := range training.pools {
		r, wins, structures := newReader(p.grid), 0, 0
		for age := range p.window.size() {
			at := p.window.at(age)
			board, err := positionOfWindow(p, at)
			if err = errors.Join(err, r.describe(p.window, at)); err != nil {
				t.Fatal(err)
			}
			r.targets(p.window, at)
			sum := float32(0)
			for cell, probability := range r.policy {
				if taken := board.Stone(cell) != havannah.NoColour; taken != (probability < 0) {
					t.Fatalf("probability %v of cell %d of\n%s", probability, cell, board.Text(nil))
				}
				sum += max(probability, 0)
			}
			if sum < 0.999 || sum > 1.001 {
				t.Fatalf("probabilities add up to %v", sum)
			}
			value := p.window.Value[at]
			wins += int(value * value)
			for _, winner := range r.winner {
				if winner != 0 && winner != value {
					t.Fatalf("a structure of %d where the result is %d", winner, value)
				}
				structures += int(winner * winner)
			}
			if (p.window.Kinds[at] != 0) != (value != 0) {
				t.Fatalf("kinds %b, result %d", p.window.Kinds[at], value)
			}
		}
		if wins < p.window.size()*9/10 || structures < 2*wins {
			t.Errorf("side %d: %d positions, %d with a winner, %d cells of structures", p.grid.Side, p.window.size(),
				wins, structures)
		}
	}
}

// positionOfWindow returns the board of a recorded position.
func positionOfWindow(p *pool, at int) (*havannah.Board, error) {
	var own, other []havannah.Move
	for cell, c := range p.window.Cells[at*p.grid.NumCells:][:p.grid.NumCells] {
		switch {
		case c&ownStone != 0:
			own = append(own, havannah.Move(cell))
		case c&otherStone != 0 && cell != int(p.window.Last[at]):
			other = append(other, havannah.Move(cell))
		}
	}
	return positionOf(p.grid, own, other, int(p.window.Last[at]))
}

// A window has the newest positions, and learning forgets the oldest half of many.
func TestWindow(t *testing.T) {
	w := newWindow(7, minWindow+10)
	for i := range 3 * minWindow {
		w.add(&sample{Cells: make([]uint8, 7), Policy: make([]uint16, 7), Last: uint16(i)})
		if i == minWindow/2 && w.size() != i+1 {
			t.Errorf("%d of %d positions", w.size(), i+1)
		}
	}
	if w.size() != minWindow+10 {
		t.Errorf("%d positions of %d", w.size(), minWindow+10)
	}
	for _, age := range []int{0, 1, w.size() - 1} {
		if got, want := int(w.Last[w.at(age)]), 3*minWindow-1-age; got != want {
			t.Errorf("position %d is the %dth", age, got)
		}
	}
}

// A state of another training, or a damaged one, is refused without a panic.
func TestReadOtherState(t *testing.T) {
	data := state(t, trained(t, 2, 1))
	for what, s := range map[string]Settings{
		"more sides": {Config: small.Config, Sides: []int{3}},
		"other size": {Config: hexnet.Config{Blocks: 2, Channels: 16}, Sides: small.Sides},
		"other side": {Config: small.Config, Sides: []int{3, 5}},
	} {
		training, err := New(s, Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if training.ReadState(bytes.NewReader(data)) == nil {
			t.Errorf("%s: accepted", what)
		}
	}
}

// The match opponent is the tree search, and a network that has learned nothing loses to it.
func TestMatch(t *testing.T) {
	m := Match{Side: 4, Games: 6, Evaluations: 4, Simulations: 500, Seed: 1, Threads: 2}
	points, err := m.Play(t.Context(), hexnet.New(small.Config, 1))
	if err != nil || points > 2 {
		t.Errorf("%v of %d points, %v", points, m.Games, err)
	}
	if again, err := m.Play(t.Context(), hexnet.New(small.Config, 1)); again != points || err != nil {
		t.Errorf("%v points, then %v: %v", points, again, err)
	}
}
