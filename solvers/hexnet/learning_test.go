package hexnet_test

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"math"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
)

// learningReference is the learning of testdata/reference.py: losses before each step, of new
// batches.
type learningReference struct {
	Blocks, Channels, Side, Boards int
	Rate                           float64
	Seed                           uint64
	Losses                         []float64
}

//go:embed testdata/learning.json.gz
var learningFile []byte // embedded for machines without the sources

func readLearningReference(t *testing.T) (want learningReference) {
	t.Helper()
	text, err := gzip.NewReader(bytes.NewReader(learningFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(text).Decode(&want); err != nil {
		t.Fatal(err)
	}
	return want
}

// A network learns as PyTorch does in float64: the mean loss of a thousand steps with new batches
// is within 1%. Learning amplifies rounding: parameters that differ by a millionth have losses
// within 2% in each hundred of the later steps.
func TestLearningAsPyTorch(t *testing.T) {
	learnAsPyTorch(t, func(n *hexnet.Net) hexnet.Learner { return hexnet.NewTrainer(hexnet.NewState(n), 2) })
}

// learnAsPyTorch compares the mean losses.
func learnAsPyTorch(t *testing.T, newLearner func(n *hexnet.Net) hexnet.Learner) {
	want := readLearningReference(t)
	g, s := shapeOf(t, want.Side)
	stream := rng.Stream(want.Seed)
	n := hexnet.New(hexnet.Config{Blocks: want.Blocks, Channels: want.Channels}, 1)
	for i := range n.Parameters {
		n.Parameters[i] = (stream.Float32() - 0.5) / 8
	}
	learner := newLearner(n)
	steps := float64(len(want.Losses))
	var got, mean float64
	for step := range want.Losses {
		targets := &hexnet.Targets{}
		var planes []uint8
		for range want.Boards {
			planes = appendBoard(planes, targets, s.Cells, g.Near, &stream)
		}
		losses, err := learner.Step(s, planes, targets, want.Rate)
		if err != nil {
			t.Fatal(err)
		}
		got += losses.Total() / steps
		mean += want.Losses[step] / steps
		if step%100 == 99 {
			t.Logf("step %d: a loss of %.4f, PyTorch's is %.4f", step+1, losses.Total(), want.Losses[step])
		}
	}
	if t.Logf("mean loss %.4f, PyTorch's %.4f", got, mean); !(math.Abs(got-mean) <= 0.01*mean) {
		t.Error("it is not within 1%")
	}
}

// appendBoard appends the planes and the targets of a random board, as board of
// testdata/reference.py.
func appendBoard(planes []uint8, t *hexnet.Targets, cells int, near func(cell, direction int) int,
	stream *rng.Stream) []uint8 {
	const empty = 2
	stones := make([]int, cells)
	count := [3]int{}
	for cell := range stones {
		stones[cell] = stream.IntN(3)
		count[stones[cell]]++
	}
	for _, stone := range stones {
		for plane := range hexnet.Planes {
			switch {
			case plane == stone:
				planes = append(planes, hexnet.Unit)
			case plane < 3:
				planes = append(planes, 0)
			default:
				planes = append(planes, uint8(stream.IntN(9)))
			}
		}
	}
	around := func(cell, kind int) (n int) {
		for d := range 6 {
			if to := near(cell, d); to < cells && stones[to] == kind {
				n++
			}
		}
		return n
	}
	best := func(kind int) int {
		at := -1
		for cell, stone := range stones {
			if stone == empty && (at < 0 || around(cell, kind) > around(at, kind)) {
				at = cell
			}
		}
		return at
	}
	winner, value := 0, 0
	switch {
	case count[0] > count[1]:
		value = 1
	case count[0] < count[1]:
		winner, value = 1, -1
	}
	move := best(0)
	for cell, stone := range stones {
		policy, structure := float32(-1), 0
		switch {
		case cell == move:
			policy = 1
		case stone == empty:
			policy = 0
		case stone == winner && around(cell, stone) >= 3:
			structure = value
		}
		t.Policy, t.Structure = append(t.Policy, policy), append(t.Structure, int8(structure))
	}
	t.Reply, t.Value, t.Kinds = append(t.Reply, int16(best(1))), append(t.Value, float32(value)),
		append(t.Kinds, uint8(count[0]%8))
	return planes
}
