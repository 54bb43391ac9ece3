//go:build linux

package ondevice

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/cudalib"
	"gamebots/cudalib/cfrgpu"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// deviceTrainer returns a trainer that is closed with the test.
func deviceTrainer(t *testing.T, d *cudalib.Device, l *publictree.Layout, a cfr.Algorithm, copies int) *Trainer {
	t.Helper()
	trainer, err := NewTrainer(d, l, a, copies)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := trainer.Close(); err != nil {
			t.Error(err)
		}
	})
	return trainer
}

// prepared lays out a game.
func prepared(t testing.TB, g *acpc.Game, kind abstraction.Kind) *publictree.Layout {
	t.Helper()
	l, err := publictree.Prepare(g, betting.Actions{}, kind, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// algorithm returns an algorithm by its name.
func algorithm(t testing.TB, name string) cfr.Algorithm {
	t.Helper()
	a, ok := cfr.AlgorithmByName(name)
	if !ok {
		t.Fatalf("no algorithm %q", name)
	}
	return a
}

// stateOf returns all that a trainer's next iteration depends on.
func stateOf(t *testing.T, trainer interface{ WriteState(io.Writer) error }) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := trainer.WriteState(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// threeStreets is a game whose boards do not fit into one block, with as few
// betting sequences as that takes: each thread of a block is one of the host.
func threeStreets() *acpc.Game {
	g := &acpc.Game{
		Name: "three streets", NumPlayers: 2, NumRounds: 3, NumSuits: 2, NumRanks: 4, NumHoleCards: 1,
		RaiseSize: [4]int32{2, 2, 2}, MaxRaises: [4]uint8{1, 0, 0}, NumBoardCards: [4]uint8{0, 1, 1},
	}
	for p := range g.NumPlayers {
		g.Stack[p], g.Blind[p] = 20, int32(1+p)
	}
	return g
}

// tinyDeck is a game of two hole cards whose last round has several boards, with raises in
// that round only: more sequences take the fake device seconds.
func tinyDeck() *acpc.Game {
	g := &acpc.Game{
		Name: "tiny deck", NumPlayers: 2, NumRounds: 2, NumSuits: 2, NumRanks: 3, NumHoleCards: 2,
		RaiseSize: [4]int32{2, 2}, MaxRaises: [4]uint8{0, 1}, NumBoardCards: [4]uint8{0, 1},
	}
	for p := range g.NumPlayers {
		g.Stack[p], g.Blind[p] = 20, int32(1+p)
	}
	return g
}

// A device values strategies to the same bits as the CPU, wherever they are.
func TestDeviceEvaluates(t *testing.T) {
	games := []*acpc.Game{pokertest.Game(t, "kuhn"), tinyDeck(), threeStreets()}
	if cudatest.OnGPU() {
		games = append(games, pokertest.Game(t, "rhode-island"), pokertest.TwoCards(), pokertest.Game(t, "leduc"))
	}
	for _, g := range games {
		t.Run(g.Name, func(t *testing.T) {
			l := prepared(t, g, abstraction.Lossless)
			d := cudatest.Open(t, "", "cfr")
			gpu := deviceTrainer(t, d, l, cfr.Algorithms[0], 1)
			gpu.StepUpTo(2)
			e, err := NewEvaluator(d, l)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			})
			here := e.EvaluateTrainer(gpu)
			there, err := e.Evaluate(gpu.Weights())
			want := publictree.NewEvaluator(l, 1).Evaluate(gpu.Weights())
			if err := errors.Join(err, gpu.Err()); err != nil || !reflect.DeepEqual(here, want) ||
				!reflect.DeepEqual(there, want) {
				t.Errorf("%+v and %+v, on the CPU %+v: %v", here, there, want, err)
			}
		})
	}
}

// A device gives the same bits as the CPU: in one block where the game is tiny,
// and with a block for each part of a round where it is not.
func TestDeviceSameBits(t *testing.T) {
	type training struct {
		game       *acpc.Game
		cards      abstraction.Kind
		algorithms []string
		iterations int
	}
	raised := tinyDeck()
	raised.Name, raised.MaxRaises = "tiny deck, raised", [4]uint8{1, 1}
	trainings := []training{
		{pokertest.Game(t, "kuhn"), abstraction.Lossless, []string{"dcfr", "cfr+", "linear", "cfr", "pcfr+"}, 5},
		{pokertest.Game(t, "leduc"), abstraction.Lossless, []string{"dcfr", "pcfr+"}, 3},
		{pokertest.Game(t, "leduc"), abstraction.None, []string{"dcfr"}, 1},
		{threeStreets(), abstraction.Lossless, []string{"pcfr+"}, 1},
		{tinyDeck(), abstraction.Lossless, []string{"dcfr"}, 5}, // more than one graph has
		{raised, abstraction.Lossless, []string{"pcfr+"}, 1},
	}
	if cudatest.OnGPU() { // on which it takes minutes
		trainings = append(trainings,
			training{pokertest.Game(t, "rhode-island"), abstraction.Lossless, []string{"dcfr", "pcfr+"}, 3},
			training{pokertest.TwoCards(), abstraction.Lossless, []string{"dcfr", "pcfr+"}, 5})
	}
	for _, test := range trainings {
		for _, name := range test.algorithms {
			sameBits(t, test.game, test.cards, algorithm(t, name), test.iterations, "")
		}
	}
}

// The same with numbers of 16 bits.
func TestDeviceSameHalves(t *testing.T) {
	games := []*acpc.Game{tinyDeck(), threeStreets()}
	if cudatest.OnGPU() {
		games = append(games, pokertest.TwoCards(), pokertest.Game(t, "rhode-island"), pokertest.Game(t, "leduc"))
	}
	for _, g := range games {
		a := algorithm(t, "pcfr+")
		a.Quantized = true
		sameBits(t, g, abstraction.Lossless, a, 2, "")
	}
}

// Where a block has too little shared memory for all vectors of a round, the last or
// one before it, and its segments have more actions than are kept in registers, bits
// are the same.
func TestDeviceSameLarge(t *testing.T) {
	stack, settings, raises := int32(4), "shared=2048", [][4]uint8{{1, 2}, {3, 0}}
	if cudatest.OnGPU() { // a GPU has as much shared memory as it has
		stack, settings, raises = 40, "", [][4]uint8{{1, 3}, {3, 0}}
	}
	for _, raises := range raises {
		g := pokertest.SmallNoLimit()
		g.Name = fmt.Sprint("raises ", raises[:2])
		g.NumRounds, g.NumBoardCards, g.MaxRaises = 2, [4]uint8{0, 1}, raises
		for p := range g.NumPlayers {
			g.Stack[p] = stack + int32(p)
		}
		sameBits(t, g, abstraction.Lossless, cfr.Algorithms[0], 2, settings)
	}
}

// sameBits trains a game on the CPU and on a device.
func sameBits(t *testing.T, g *acpc.Game, cards abstraction.Kind, a cfr.Algorithm, iterations int, settings string) {
	t.Run(g.Name+" "+cards.String()+" "+a.String(), func(t *testing.T) {
		l := prepared(t, g, cards)
		cpu, gpu := cfr.NewTrainer(l, a, 1), deviceTrainer(t, cudatest.Open(t, settings, "cfr"), l, a, 1)
		for range iterations {
			cpu.Step()
		}
		for gpu.Err() == nil && gpu.Iterations() < cpu.Iterations() {
			gpu.StepUpTo(cpu.Iterations() - gpu.Iterations())
		}
		if !bytes.Equal(stateOf(t, gpu), stateOf(t, cpu)) {
			t.Errorf("%d iterations: the states differ", iterations)
		}
	})
}

// Copies of a tiny game are trained alike.
func TestDeviceCopies(t *testing.T) {
	l := prepared(t, pokertest.Game(t, "kuhn"), abstraction.Lossless)
	one, three := cudatest.Open(t, "", "cfr"), cudatest.Open(t, "", "cfr")
	want, got := deviceTrainer(t, one, l, cfr.Algorithms[0], 1), deviceTrainer(t, three, l, cfr.Algorithms[0], 3)
	want.StepUpTo(2)
	got.StepUpTo(2)
	for k := range got.copies {
		sum := make([]float32, l.Entries)
		if err := got.device.Download(k, cfrgpu.State{Sum: cfrgpu.Array{Floats: sum}}); err != nil ||
			!slices.Equal(sum, want.Weights()) {
			t.Errorf("copy %d differs: %v", k, err)
		}
	}
}

// A training goes on wherever its state is read, and ends in the same strategy.
func TestDeviceState(t *testing.T) {
	l := prepared(t, pokertest.Game(t, "kuhn"), abstraction.Lossless)
	a := algorithm(t, "pcfr+")
	d := cudatest.Open(t, "", "cfr")
	whole := cfr.NewTrainer(l, a, 1)
	for range 6 {
		whole.Step()
	}
	type trainer interface {
		Step()
		Iterations() uint64
		WriteState(io.Writer) error
		ReadState(io.Reader) error
		Save(string, strategy.Meta) error
	}
	var at []byte
	for i, trainer := range []trainer{cfr.NewTrainer(l, a, 1), deviceTrainer(t, d, l, a, 1), cfr.NewTrainer(l, a, 1)} {
		if at != nil {
			if err := trainer.ReadState(bytes.NewReader(at)); err != nil {
				t.Fatal(err)
			}
		}
		trainer.Step()
		trainer.Step()
		if at = stateOf(t, trainer); trainer.Iterations() != uint64(2*i+2) {
			t.Fatalf("%d iterations were done of %d", trainer.Iterations(), 2*i+2)
		}
	}
	if !bytes.Equal(at, stateOf(t, whole)) {
		t.Error("the states differ")
	}

	last := deviceTrainer(t, d, l, a, 1)
	if err := last.ReadState(bytes.NewReader(at)); err != nil {
		t.Fatal(err)
	}
	var files [2][]byte
	for i, trainer := range []trainer{whole, last} {
		path := filepath.Join(t.TempDir(), "kuhn.strategy")
		err := trainer.Save(path, strategy.Meta{})
		if err == nil {
			files[i], err = os.ReadFile(path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the strategies' files differ")
	}
	if err := last.ReadState(strings.NewReader("short")); err == nil {
		t.Error("a state that is cut off was read")
	}
}

// What a device cannot do is said before the first iteration.
func TestDeviceRefuses(t *testing.T) {
	d := cudatest.Open(t, "memory=4096", "cfr")
	leduc := prepared(t, pokertest.Game(t, "leduc"), abstraction.None)
	for _, test := range []struct {
		name   string
		layout *publictree.Layout
		a      cfr.Algorithm
		copies int
	}{
		{"discounted predictions", leduc, algorithm(t, "pdcfr+"), 1},
		{"part of the predictions", leduc, algorithm(t, "sapcfr+"), 1},
		{"three players", prepared(t, pokertest.Game(t, "kuhn-3p"), abstraction.Lossless), cfr.Algorithms[0], 1},
		{"copies of a game that is not tiny", prepared(t, threeStreets(), abstraction.Lossless), cfr.Algorithms[0], 2},
	} {
		if _, err := NewTrainer(d, test.layout, test.a, test.copies); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	copies := 1
	if cudatest.OnGPU() {
		copies = 1 << 40 // no device has the memory for them
		leduc = prepared(t, pokertest.Game(t, "kuhn"), abstraction.Lossless)
	}
	_, err := NewTrainer(d, leduc, cfr.Algorithms[0], copies)
	if size, ok := errors.AsType[*policy.SizeError](err); !ok || size.Device != d.String() ||
		size.Size.Bytes <= size.Budget {
		t.Errorf("a game too large for the device: %v", err)
	}
}

// A device that fails returns an error, and the training until then stays readable
// where it was saved.
func TestDeviceFault(t *testing.T) {
	const illegalAddress = 700
	fake := cudatest.Load(t, cudatest.Families(t, "cfr"), "")
	d, err := fake.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	l := prepared(t, pokertest.Game(t, "kuhn"), abstraction.Lossless)
	trainer, err := NewTrainer(d, l, cfr.Algorithms[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEvaluator(d, l)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		fake.Recover()
		if err := errors.Join(e.Close(), trainer.Close(), d.Close()); err != nil {
			t.Error(err)
		}
	}()
	trainer.Step()
	fake.Configure("fail=cuLaunchKernel:" + strconv.Itoa(illegalAddress))
	if x := e.EvaluateTrainer(trainer); x.Value != nil || x.BestResponse != nil {
		t.Errorf("a device that fails evaluates: %+v", x)
	}
	trainer.StepUpTo(9)
	trainer.StepUpTo(9)
	if trainer.Iterations() != 1 || !errors.Is(trainer.Err(), driver.ErrFault) ||
		!strings.Contains(trainer.Err().Error(), "kernel cfr_tiny") {
		t.Errorf("%d iterations on a device that fails: %v", trainer.Iterations(), trainer.Err())
	}
	path := filepath.Join(t.TempDir(), "kuhn.strategy")
	for _, err := range []error{trainer.WriteState(io.Discard), trainer.Save(path, strategy.Meta{})} {
		if !errors.Is(err, driver.ErrFault) {
			t.Errorf("saving the training returned %v", err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a strategy was saved")
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDeviceEvaluates, TestDeviceSameBits, TestDeviceSameHalves, TestDeviceSameLarge,
		TestDeviceCopies, TestDeviceState)
}
