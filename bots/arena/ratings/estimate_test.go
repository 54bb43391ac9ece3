package ratings

import (
	"context"
	"errors"
	"io"
	"iter"
	"math"
	"reflect"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

func leduc(t *testing.T) *acpc.Game {
	t.Helper()
	name, text, err := configs.GameText("leduc")
	if err != nil {
		t.Fatal(err)
	}
	g, err := acpc.ParseGame(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func hands(g *acpc.Game, log string) iter.Seq2[*history.Hand, error] {
	return func(yield func(*history.Hand, error) bool) {
		for r := history.NewLogReader(strings.NewReader(log), "test.log", g); ; {
			h, err := r.Next()
			if err == io.EOF || !yield(h, err) || err != nil {
				return
			}
		}
	}
}

const twoMatches = `# name/game/hands/seed one leduc 2 7
STATE:0:cc/cc:Qs|Ks/As:-1|1:A|B
STATE:1:rc/cc:As|Kh/Qh:3|-3:B|A
# name/game/hands/seed two leduc 2 7
STATE:0:rf:Qs|Ks:1|-1:B|A
STATE:1:cc/cc:As|Kh/Qh:1|-1:A|B
# name/game/hands/seed three leduc 1 8
STATE:0:cc/cc:Qs|Ks/Kh:-1|1:A|B
`

// Hands of the same cards are one observation, whatever else is in the log.
func TestLoggedDeals(t *testing.T) {
	g := leduc(t)
	layout, err := publictree.Prepare(g, betting.Actions{}, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
	for range 10 {
		trainer.Step()
	}
	file := t.TempDir() + "/x.strategy"
	if err := trainer.Save(file, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(file, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s, err := aivat.ReadStrategy(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	estimator, err := aivat.New(s, s, false, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	var first Estimate
	const ofOthers = "STATE:0:rf:Qs|:1|-1:B|C\n"
	for threads := 1; threads < 4; threads++ {
		e, err := EstimateHands(context.Background(), estimator, threads, Logged("A", hands(g, ofOthers+twoMatches)))
		if err != nil {
			t.Fatal(err)
		}
		// (-1-1)/2, (-3+1)/2 and -1.
		if e.Hands != 5 || e.Won.N != 3 || e.Estimated.N != 3 || e.Won.Mean() != -1 || e.Won.Interval95() != 0 {
			t.Errorf("%d threads: %+v", threads, e)
		}
		if math.IsNaN(e.Estimated.Mean()) || threads > 1 && !reflect.DeepEqual(e, first) {
			t.Errorf("%d threads: %+v, not %+v", threads, e, first)
		}
		first = e
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped")
	cancel(stopped)
	if _, err := EstimateHands(ctx, estimator, 1, Logged("A", hands(g, twoMatches))); !errors.Is(err, stopped) {
		t.Errorf("stopped: %v", err)
	}
}

func TestDoubtful(t *testing.T) {
	for _, test := range []struct {
		deals     int
		estimated float64
		want      bool
	}{{1000, 0.1, false}, {1000, -0.1, false}, {1000, 0.5, true}, {1000, -0.5, true}, {10, 5, false}} {
		var e Estimate
		for i := range test.deals {
			e.Won.Add(float64(1 - i%2*2))
			e.Estimated.Add(test.estimated)
		}
		if got := e.Inconsistent(); got != test.want {
			t.Errorf("%d deals, estimated %v, won 0: %v", test.deals, test.estimated, got)
		}
	}
}

func TestLoggedRefuses(t *testing.T) {
	g := leduc(t)
	for log, want := range map[string]string{
		"STATE:0:rf:Qs|Ks:1|-1:B|C\n": `no hand of "A", but of B, C`,
		"STATE:0:rf:Qs|:1|-1:A|B\n":   "hand 0: the hole cards of B are not in the log",
		"STATE:0:rf:Qs|Ks:1|-1:A|A\n": `hand 0: all players are called "A"`,
		"STATE:0:r:Qs|Ks:1|-1:A|B\n":  "test.log:1: the hand is not over",
	} {
		var got error
		for _, err := range Logged("A", hands(g, log)) {
			got = err
		}
		if got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("%s: %v, want %q", log, got, want)
		}
	}
}
