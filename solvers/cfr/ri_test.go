package cfr

import (
	"fmt"
	"testing"
	"time"

	"gamebots/solvers/cfr/abstraction"
)

func TestRI(t *testing.T) {
	start := time.Now()
	l := trainable(t, "rhode-island", abstraction.Lossless)
	fmt.Println(l.InfoSets(), l.Entries, time.Since(start), l.parts[2][0], len(l.parts[2]))
	a, _ := ParseAlgorithm("dcfr")
	for _, th := range []int{1, 2} {
		tr := NewTrainer(l, a, th)
		ev := NewEvaluator(l, th)
		tr.Step()
		start = time.Now()
		for range 29 {
			tr.Step()
		}
		fmt.Println(th, "it/s", 29/time.Since(start).Seconds())
		start = time.Now()
		e := ev.Evaluate(tr.Weights())
		fmt.Println(time.Since(start), e, e.Exploitability()/10*1000, "milli-bets")
		if th == 2 {
			for range 70 {
				tr.Step()
			}
			e := ev.Evaluate(tr.Weights())
			fmt.Println(time.Since(start), e, e.Exploitability()/10*1000, "milli-bets")
		}
	}
}
