package cfr

import (
	"fmt"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
)

func shipped(t testing.TB, name string) *acpc.Game {
	t.Helper()
	name, text, err := configs.GameText(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := acpc.ParseGame(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func trainable(t testing.TB, name string, kind abstraction.Kind) *Layout {
	t.Helper()
	g := shipped(t, name)
	tree, ok := NewTree(g, 1<<20)
	if !ok {
		t.Fatalf("%s: tree too large", name)
	}
	return NewLayout(tree, abstraction.New(g, kind))
}

func TestX(t *testing.T) {
	for _, kind := range []abstraction.Kind{abstraction.Lossless, abstraction.None} {
		for _, name := range []string{"kuhn", "leduc", "kuhn-3p"} {
			l := trainable(t, name, kind)
			a, _ := ParseAlgorithm("cfr+")
			tr := NewTrainer(l, a, 1)
			ev := NewEvaluator(l, 1)
			fmt.Println(name, l.InfoSets(), l.Entries, ev.Evaluate(tr.Weights()))
			for i := 1; i <= 1000; i++ {
				tr.Step()
				switch i {
				case 10, 20, 50, 100, 200, 500, 1000:
					e := ev.Evaluate(tr.Weights())
					fmt.Println(i, e.Exploitability(), e.Value)
				}
			}
			start := time.Now()
			for range 20000 {
				tr.Step()
			}
			fmt.Println("it/s", 20000/time.Since(start).Seconds())
		}
	}
}
