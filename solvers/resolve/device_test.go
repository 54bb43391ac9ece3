//go:build linux

package resolve

import (
	"context"
	"errors"
	"maps"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/ondevice"
)

// narrow returns a player with a device, and a state of a game with stacks of 120 chips, in which all-in is
// the only bet, after a betting. Before the flop only the lowest hands call, so that trees are small.
func narrow(t *testing.T, device *Device, o Options, text string) (*NoLimit, *acpc.State) {
	t.Helper()
	g := holdem(t)
	g.Stack[0], g.Stack[1] = 120, 120 // all-in is the only bet
	tree := betting.NewTree(g, betting.FCPA1.ShapeOf(g, 1<<20))
	play := func(dst []float64, node int32, bucket int) ([]float64, error) {
		n := &tree.Nodes[node]
		for a := range int(n.NumActions) {
			calls := tree.Nodes[int(n.First)+a].Action() == call
			if n.Round == 0 {
				calls = calls == (bucket == 0)
			}
			p := 0.0
			if calls {
				p = 1
			}
			dst = append(dst, p)
		}
		return dst, nil
	}
	o.Device = device
	p, err := NewNoLimit(Blueprint{Index: policy.NewIndex(tree, highest{}), Rounds: 4, Played: play, Expected: play}, o)
	if err != nil {
		t.Fatal(err)
	}
	return p, stateOf(t, p, text)
}

// stateOf returns a state of a player's game.
func stateOf(t *testing.T, p *NoLimit, text string) *acpc.State {
	t.Helper()
	m, _, err := p.game.ParseMatchState("MATCHSTATE:0:0:" + text)
	if err != nil {
		t.Fatal(err)
	}
	return &m.State
}

// fake returns a device of the fake driver.
func fake(t *testing.T, settings string) *Device {
	t.Helper()
	gpu := cudatest.OpenFake(t, settings, "spot")
	return NewDevice(func(turn sync.Locker) spot.Device { return ondevice.InTurns(gpu, turn) }, 200_000_000)
}

// Turns that a device solves have the bits of those that are too large for it.
func TestDevice(t *testing.T) {
	var answers []Answer
	for _, settings := range []string{"memory=200000000;shared=200000", "memory=1000"} {
		p, s := narrow(t, fake(t, settings), Options{From: Turn, Iterations: 1}, "cc/cc/:2s2c"+board)
		answers = append(answers, answer(t, p, s))
	}
	if !answers[0].Solved || !sameChoices(answers[0].Choices, answers[1].Choices) {
		t.Errorf("%+v on the device, %+v on the CPU", answers[0].Actions, answers[1].Actions)
	}
}

// A device solves flops to the end of the hand, and the turn is solved from that solution.
func TestWholeFlop(t *testing.T) {
	testkit.SlowOnly(t)
	d := fake(t, "memory=200000000;shared=200000")
	d.paces[wholeFlop], d.paces[packedFlop] = pace{bytes: 10}, pace{tooLarge: true} // trials of all hands do not fit
	p, s := narrow(t, d, Options{From: Flop, Iterations: 2, Threads: 2}, "cc/cc/:2s2c|/Ks9s7s/4c")
	p.continuation = nil // offers are to all hands, which take the fake device minutes
	turn := answer(t, p, s)
	flop := p.rounds[Flop].path[0]
	a := answer(t, p, stateOf(t, p, "cc/:2s2c|/Ks9s7s"))
	if !a.Solved || !a.OnDevice || a.Iterations != 2 || a.Entries != flop.solver.Entries() || a.Exploitability <= 0 {
		t.Errorf("flop %+v", a)
	}
	want, err := flop.solver.Solution().Dealt("x-x-4c", 1-p.rounds[Turn].own)
	if o := p.rounds[Turn].spot.Offer; err != nil || o == nil || len(want) == 0 || !maps.Equal(o.Values, want) {
		t.Errorf("on the turn %+v is offered, want %v: %v", o, want, err)
	}
	if !turn.Solved || !turn.OnDevice {
		t.Errorf("turn %+v", turn)
	}
	if _, err := flop.solver.Solution().At("x-x-4c"); !errors.Is(err, spot.ErrLeft) {
		t.Errorf("a flop stays on the device: %v", err)
	}
}

// A tree is as large as there is memory and time for, and without a limit of time the same everywhere.
func TestLimit(t *testing.T) {
	soon, cancel := context.WithTimeout(t.Context(), 1000*time.Hour)
	defer cancel()
	for _, tt := range []struct {
		ctx           context.Context
		memory, speed float64
		after         time.Duration
		want          float64
	}{
		{t.Context(), 1e15, 0, 0, flopEntries}, {t.Context(), 2e8, 1e9, 0, 2e8},
		{soon, 2e8, 1e9, 0, 2e8}, {soon, 1e15, 1e3, 0, 1e3 * 1000 * 3600 / (96 + readingPasses)},
		{soon, 1e15, 1e3, 500 * time.Hour, 1e3 * 500 * 3600 / (96 + readingPasses)}, {soon, 1e15, 0, 0, 0},
	} {
		d := NewDevice(nil, int64(tt.memory))
		d.paces[wholeFlop] = pace{speed: tt.speed, bytes: 1}
		if got := d.limit(tt.ctx, wholeFlop, 96, tt.after); math.Abs(got-tt.want) > .01*tt.want {
			t.Errorf("%+v: %g entries, want %g", tt, got, tt.want)
		}
	}
	d := NewDevice(nil, 8e9)
	for _, tt := range []struct {
		whole, packed pace
		most          float64
		kind          kind
	}{
		{pace{speed: 1e10, bytes: 10}, pace{speed: 1e10, bytes: 5}, 1.6e9, packedFlop},
		{pace{speed: 1e10, bytes: 10}, pace{speed: 1e10}, 8e8, wholeFlop}, // not measured
		{pace{speed: 1e10, tooLarge: true}, pace{speed: 1e10, bytes: 5}, 1.6e9, packedFlop},
		{pace{speed: 1e10, tooLarge: true}, pace{speed: 1e10, tooLarge: true}, 0, wholeFlop},
	} {
		d.paces[wholeFlop], d.paces[packedFlop] = tt.whole, tt.packed
		if most, k := d.flopLimit(soon, 96, 0); most != tt.most || k != tt.kind {
			t.Errorf("%+v: %g entries of kind %d, want %g of kind %d", tt, most, k, tt.most, tt.kind)
		}
	}
}

// A whole flop has the richest menu that it may have; where the smallest is too large, the blueprint plays it. The
// opponent is offered what its hands win if both play the blueprint.
func TestChooseWhole(t *testing.T) {
	testkit.SlowOnly(t)
	for memory, menu := range map[int64]int{1 << 40: 4, 2 << 30: 5, 16 << 20: -1, 200_000_000: -1} {
		d := fake(t, "memory=200000000")
		if d.memory = memory; memory != 200_000_000 { // there the flops of all hands do not fit
			d.paces[wholeFlop], d.paces[packedFlop] = pace{bytes: 10}, pace{bytes: 10}
		}
		p := newPlayer(t, Options{From: Flop, Iterations: 1, Threads: 2, Device: d}, higher)
		r, err := p.enter(t.Context(), state(t, "r300c/", "AsAc"+flopBoard), Flop)
		if err != nil {
			t.Fatal(err)
		}
		if r.whole != (menu >= 0) || r.whole && !reflect.DeepEqual(r.spot.Menu, wholeFlops[menu]) {
			t.Errorf("with %d bytes whole %v, menu %+v", memory, r.whole, r.spot.Menu)
		}
		if !r.whole {
			if !r.lost() || r.spot.Offer != nil {
				t.Error("the flop is not the blueprint's")
			}
			continue
		}
		want, err := r.spot.Continued(t.Context(), r.continuation, r.continues(), 1, flopRunouts, 1)
		if o := r.spot.Offer; err != nil || o == nil || o.Player != 1 ||
			o.Known != blueprintFraction || len(o.Values) != 1176 || !maps.Equal(o.Values, want) {
			t.Errorf("%d hands are offered something, want %d: %v", len(o.Values), len(want), err)
		}
	}
}

// A solution that is nested in another one has the same flop, and after it no more than there is time for.
func TestNestedMenu(t *testing.T) {
	testkit.SlowOnly(t)
	d := NewDevice(nil, math.MaxInt64)
	d.paces[wholeFlop].speed = 1e10
	p := newPlayer(t, Options{From: Flop, Iterations: 100, Threads: 2, Device: d}, higher)
	p.continuation = nil
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	r, err := p.enter(ctx, state(t, "r300c/", "AsAc"+flopBoard), Flop)
	if err != nil {
		t.Fatal(err)
	}
	for speed, want := range map[float64]int{1e10: 0, 5e7: 2, 1: 3} {
		d.paces[wholeFlop].speed = speed
		if got, err := r.nestedMenu(ctx, &r.spot); err != nil || !reflect.DeepEqual(got, wholeFlops[want]) {
			t.Errorf("at %g entries a second %+v: %v", speed, got, err)
		}
	}
}

// A device that fails in play is left, and the decision is made without it. Elsewhere it is an error.
func TestDeviceFails(t *testing.T) {
	const text = "cc/cc/:2s2c" + board
	plain, s := narrow(t, nil, Options{From: Turn, Iterations: 1}, text)
	want := answer(t, plain, s)
	fails := func() *Device { return fake(t, "memory=200000000;shared=200000;fail=cuLaunchKernel:719") }
	var told []error
	p, s := narrow(t, fails(), Options{From: Turn, Iterations: 1,
		DeviceFailed: func(err error) { told = append(told, err) }}, text)
	for range 2 {
		if got := answer(t, p, s); !sameChoices(got.Choices, want.Choices) || got.OnDevice {
			t.Errorf("another decision without the device, made on it: %v", got.OnDevice)
		}
	}
	if len(told) != 1 || p.options.Device != nil {
		t.Errorf("told %v", told)
	}
	p, s = narrow(t, fails(), Options{From: Turn, Iterations: 1}, text)
	if _, err := p.Answer(t.Context(), s); !errors.As(err, new(*DeviceError)) {
		t.Errorf("error %v", err)
	}
}

// A device that does not come back is not waited for.
func TestDeviceHangs(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	hangs := make(chan struct{})
	defer close(hangs)
	hang := func() (int, error) {
		<-hangs
		return 1, nil
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := inTime(stopped, time.Hour, hang); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	_, err := inTime(ctx, 0, hang)
	if failed := (*DeviceError)(nil); !errors.As(err, &failed) || !errors.Is(err, errHangs) {
		t.Errorf("error %v", err)
	}
	late := errors.New("late")
	if x, err := inTime(t.Context(), time.Hour, func() (int, error) { return 2, late }); x != 2 || err != late {
		t.Errorf("%d, %v", x, err)
	}
}

// The speed of a device is measured, as far as it has memory.
func TestMeasure(t *testing.T) {
	d := fake(t, "memory=200000000;shared=200000")
	if err := d.Measure(t.Context(), 1); err != nil || d.Speed() <= 0 || d.Speed() != d.paces[wholeTurn].speed {
		t.Errorf("%+v: %v", d.paces, err)
	}
	for n := 0; d.worthwhile(); n++ { // a busy machine may hold the CPU up for longer than it computes
		if err := d.Measure(t.Context(), 1); n == 20 || err != nil {
			t.Fatalf("the fake device is faster than the CPU: %+v, %v", d.paces, err)
		}
	}
	d = fake(t, "memory=1000")
	if err := d.Measure(t.Context(), 1); err != nil || d.Speed() != 0 || !d.worthwhile() {
		t.Errorf("with little memory %+v: %v", d.paces, err)
	}
	if err := fake(t, "memory=200000000;shared=200000;fail=cuLaunchKernel:719").Measure(t.Context(), 1); err == nil {
		t.Error("a device that fails is measured")
	}
}
