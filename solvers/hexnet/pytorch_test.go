package hexnet_test

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"gamebots/solvers/hexnet"
)

// Networks and steps of learning are those of PyTorch in float64: see testdata/reference.py.
func TestPyTorch(t *testing.T) {
	file, err := os.Open("testdata/pytorch.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	cases := json.NewDecoder(text)
	for number, passed := 1, true; passed && cases.More(); number++ {
		passed = t.Run(strconv.Itoa(number), func(t *testing.T) {
			var want struct {
				Blocks, Channels, Side int
				Parameters             []float32
				Planes                 []int
				Targets                struct {
					Policy    []float32
					Reply     []int16
					Structure []int8
					Value     []float32
					Kinds     []int
				}
				Cells, Board    []float64
				Losses          [5]float64
				Gradient, Steps []float64
				Rate            float64
			}
			if err := cases.Decode(&want); err != nil {
				t.Fatal(err)
			}
			_, s := shapeOf(t, want.Side)
			n := hexnet.New(hexnet.Config{Blocks: want.Blocks, Channels: want.Channels}, 1)
			n.Parameters = want.Parameters
			bytes := func(numbers []int) (b []uint8) {
				for _, x := range numbers {
					b = append(b, uint8(x))
				}
				return b
			}
			planes := bytes(want.Planes)
			o := evaluate(t, hexnet.NewEvaluator(n, s, 1), planes)
			near := func(what string, i int, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
					t.Errorf("%s %d is %g, want %g", what, i, got, want)
				}
			}
			for i := range o.Policy {
				for k, got := range []float32{o.Policy[i], o.Reply[i], o.Own[i], o.Other[i]} {
					near("logit", i, float64(got), want.Cells[4*i+k])
				}
			}
			for i, value := range o.Value {
				near("value", i, float64(value), math.Tanh(want.Board[4*i]))
			}
			targets := &hexnet.Targets{Policy: want.Targets.Policy, Reply: want.Targets.Reply,
				Structure: want.Targets.Structure,
				Value:     want.Targets.Value, Kinds: bytes(want.Targets.Kinds)}
			trainer := hexnet.NewTrainer(hexnet.NewState(n), 2)
			gradient, losses, err := trainer.Gradient(s, planes, targets)
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range []float64{losses.Policy, losses.Value, losses.Reply, losses.Structure, losses.Kinds} {
				near("loss", i, got, want.Losses[i])
			}
			for i, got := range gradient {
				near("derivative", i, float64(got), want.Gradient[i])
			}
			for i, total := range want.Steps {
				losses, err := trainer.Step(s, planes, targets, want.Rate)
				if err != nil {
					t.Fatal(err)
				}
				if got := losses.Total(); math.Abs(got-total) > 1e-3*total {
					t.Fatalf("loss %g before step %d, want %g", got, i+1, total)
				}
			}
		})
	}
}
