package ratings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/acpc/history"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/rng"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/cfrtest"
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

// logged estimates player A's hands in logs.
func logged(
	t *testing.T, e *aivat.Estimator, threads int, logs iter.Seq2[*history.Hand, error],
) (estimate Estimate) {
	t.Helper()
	played, err := Logged(t.Context(), "A", logs)
	if err == nil {
		estimate, err = EstimateHands(t.Context(), e, threads, played)
	}
	if err != nil {
		t.Fatal(err)
	}
	return estimate
}

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
	estimator, err := aivat.New(s, s, false)
	if err != nil {
		t.Fatal(err)
	}
	var first Estimate
	const ofOthers = "STATE:0:rf:Qs|:1|-1:B|C\n"
	for threads := 1; threads < 4; threads++ {
		e := logged(t, estimator, threads, hands(g, ofOthers+twoMatches))
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
	if _, err := Logged(ctx, "A", hands(g, twoMatches)); !errors.Is(err, stopped) {
		t.Errorf("stopped: %v", err)
	}
	played, err := Logged(t.Context(), "A", hands(g, twoMatches))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := EstimateHands(ctx, estimator, 1, played); !errors.Is(err, stopped) {
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
		_, got := Logged(t.Context(), "A", hands(g, log))
		if got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("%s: %v, want %q", log, got, want)
		}
	}
}

// A match may number the hands of repeated deals on, which it plays at once or after all others. Its hands without two
// of a deal are deals of their own, as are those of a match of which the last is missing.
func TestRepeatedDeals(t *testing.T) {
	g := leduc(t)
	const one, other, last = "cc/cc:Qs|Ks/As:-1|1", "cc/cc:Ks|Qs/As:1|-1", "cc/cc:Kh|Qs/As:1|-1"
	for name, test := range map[string]struct {
		hands []string
		want  string // the number of the first hand of each one's deal
	}{
		"at once":      {[]string{one, one, other, other, last, last}, "002244"},
		"after all":    {[]string{one, other, last, one, other, last}, "012012"},
		"not repeated": {[]string{one, other, last, one, other, other}, "012345"},
		"cut off":      {[]string{one, other, last, one, other}, "01234"},
		"cut off, too": {[]string{one, one, other, other, last}, "00224"},
	} {
		log := ""
		for range 2 { // two matches of different seeds
			log += fmt.Sprintf("%sone leduc 6 %d\n", acpc.LogTitle, len(log))
			for i, hand := range test.hands {
				log += fmt.Sprintf("STATE:%d:%s:%s\n", i, hand, []string{"A|B", "B|A"}[i%2])
			}
		}
		played, err := Logged(t.Context(), "A", hands(g, log))
		if err != nil {
			t.Fatal(err)
		}
		numbers, got := map[string]int{}, ""
		for p, err := range played {
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := numbers[p.Deal]; !ok {
				numbers[p.Deal] = len(got)
			}
			got += fmt.Sprint(numbers[p.Deal] % len(test.hands))
		}
		if got != test.want+test.want || len(numbers)%2 > 0 {
			t.Errorf("%s: %d deals, %s", name, len(numbers), got)
		}
	}
}

// The winnings and estimates of logs spread over the seeds as is stated, and are the same however a log numbers the
// hands of repeated deals.
func TestSpreadLogged(t *testing.T) {
	own := cfrtest.Trained(t, "kuhn", "all", cfr.Algorithms[1], 3)
	s, err := aivat.ReadStrategy(own, nil)
	if err != nil {
		t.Fatal(err)
	}
	estimator, err := aivat.New(s, s, false)
	if err != nil {
		t.Fatal(err)
	}
	estimate := func(lines ...string) Estimate {
		return logged(t, estimator, 1, hands(own.Tree.Game, strings.Join(lines, "")))
	}
	number := regexp.MustCompile(`^STATE:\d+`)
	for deals, what := range map[uint32]string{60: "plain AIVAT", minDeals: "weighted"} {
		testkit.Spread(t, what, 30, func(seed uint64) map[string]testkit.Stated {
			matches := [2][]string{
				match(t, own, deals, rng.At(seed, 0), rng.At(seed, 1), false),
				match(t, own, deals, rng.At(seed, 0), rng.At(seed, 2), true),
			}
			single, duplicate := estimate(matches[0]...), estimate(slices.Concat(matches[0], matches[1])...)
			var atOnce, afterAll []string
			for i := range 2 * int(deals) {
				state := fmt.Sprint("STATE:", i)
				atOnce = append(atOnce, number.ReplaceAllString(matches[i%2][i/2], state))
				afterAll = append(afterAll, number.ReplaceAllString(matches[i/int(deals)][i%int(deals)], state))
			}
			if seed < 3 && !(reflect.DeepEqual(estimate(afterAll...), duplicate) &&
				reflect.DeepEqual(estimate(atOnce...), duplicate)) {
				t.Errorf("%s, seed %d: other estimates where the hands are numbered on", what, seed)
			}
			return map[string]testkit.Stated{
				"single hands":            testkit.StatedOf(&single.Won),
				"single hands, estimated": testkit.StatedOf(&single.Estimated),
				"deals":                   testkit.StatedOf(&duplicate.Won),
				"deals, estimated":        testkit.StatedOf(&duplicate.Estimated),
			}
		})
	}
}

// match returns the log of a match of A, who plays a strategy, in either seat against a random player.
func match(t *testing.T, own *policy.Policy, deals uint32, cards, draws uint64, second bool) (lines []string) {
	t.Helper()
	opponent, err := poker.NewOpponent("random", draws)
	if err != nil {
		t.Fatal(err)
	}
	players := []acpc.Player{poker.NewPolicyPlayer(own, poker.Style{}, rng.At(draws, 0)), opponent}
	m := dealer.Match{Game: own.Tree.Game, Hands: deals, Seed: uint32(cards), Names: []string{"A", "B"}}
	if second {
		slices.Reverse(players)
		slices.Reverse(m.Names)
	}
	if _, err := m.Play(t.Context(), players, func(s *acpc.State) error {
		lines = append(lines, string(m.AppendHand(nil, s)))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return lines
}
