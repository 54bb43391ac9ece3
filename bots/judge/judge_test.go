package judge_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/bots/judge"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// shipped returns a game that comes with the program.
func shipped(t testing.TB, name string) *acpc.Game {
	t.Helper()
	g, err := configs.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// trained returns a strategy for a game after a few iterations, with some cards or raises.
func trained(t testing.TB, spec policy.GameSpec) *judge.Subject {
	t.Helper()
	spec.Cards = cmp.Or(spec.Cards, "lossless")
	training, err := train.Open(train.Spec{GameSpec: spec}, train.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		training.Step()
	}
	file := filepath.Join(t.TempDir(), "trained.strategy")
	if err := training.Save(file, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(file, memory.Available(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return &judge.Subject{Name: file, Policy: p, Game: p.Tree.Game}
}

// cpu are the means of most tests.
func cpu() judge.Means {
	return judge.Means{Threads: 2, Memory: memory.Available(), Device: cudalib.CPU()}
}

// The best measure is exact where it can be, and otherwise a lower bound, and the plan says why.
func TestPlan(t *testing.T) {
	pots, err := betting.ParseActions("fcpa")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		subject *judge.Subject
		memory  int64
		kind    string
		why     string
	}{
		{"all cards", trained(t, policy.GameSpec{Game: shipped(t, "leduc")}), 0, "abstract", ""},
		{"three players", trained(t, policy.GameSpec{Game: shipped(t, "kuhn-3p")}), 0, "abstract", ""},
		{"buckets", trained(t, policy.GameSpec{Game: shipped(t, "leduc"), Cards: "sets"}), 0, "real", "sets cards: "},
		{"no memory", trained(t, policy.GameSpec{Game: shipped(t, "leduc")}), 1000, "real", "memory"},
		{"no limit", trained(t, policy.GameSpec{Game: shipped(t, "leduc-nolimit"), Cards: "sets", Actions: pots}), 0,
			"real", "sets cards: "},
		{"dead money is forgotten", trained(t, policy.GameSpec{
			Game: shipped(t, "leduc-nolimit"), Actions: pots.DeadMoney(),
		}), 0, "local", "forgets dead money"},
		{"three, with buckets", trained(t, policy.GameSpec{Game: shipped(t, "kuhn-3p"), Cards: "sets"}), 0, "learned",
			"it has 3 players"},
		{"simple", &judge.Subject{Name: "call", Game: shipped(t, "leduc")}, 0, "real", ""},
		{"simple, no limit", &judge.Subject{Name: "call", Game: shipped(t, "holdem-nolimit-2p")}, 0, "local",
			"with every raise has over"},
		{"simple, few raises", &judge.Subject{Name: "fold", Game: shipped(t, "holdem-nolimit-2p"),
			Raises: betting.FCPA}, 0, "real", ""},
		{"too long", &judge.Subject{Name: "half", Game: shipped(t, "holdem-limit-2p")}, 0, "local", "takes about 7"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := cpu()
			if test.memory > 0 {
				m.Memory = test.memory
			}
			p, err := judge.NewPlan(test.subject, m)
			if err != nil {
				t.Fatal(err)
			}
			kind := "learned"
			switch {
			case p.Abstract != nil:
				kind = "abstract"
			case p.Real:
				kind = "real"
			case p.Local:
				kind = "local"
			}
			if p.Boards != (test.name == "too long") {
				t.Errorf("boards bound it better: %v", p.Boards)
			}
			if kind != test.kind {
				t.Errorf("it is %s, want %s", kind, test.kind)
			}
			why := ""
			if p.Why != nil {
				why = p.Why.Error()
			}
			if !strings.Contains(why, test.why) || test.why == "" && why != "" {
				t.Errorf("the reason is %q, want %q", why, test.why)
			}
		})
	}
}

// Both exact measures agree where the abstract game is the game itself, in any style of play, and no bound is above
// them but by chance.
func TestMeasuresAgree(t *testing.T) {
	pots, err := betting.ParseActions("fcpa")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("limit", func(t *testing.T) {
		measuresAgree(t, trained(t, policy.GameSpec{Game: shipped(t, "leduc")}))
	})
	t.Run("no limit", func(t *testing.T) {
		measuresAgree(t, trained(t, policy.GameSpec{Game: shipped(t, "leduc-nolimit"), Actions: pots}))
	})
}

func measuresAgree(t *testing.T, s *judge.Subject) {
	t.Helper()
	m, ctx, chip := cpu(), t.Context(), float64(s.Game.MaxBlind())
	for _, style := range []poker.Style{{}, {Purify: true}, {Threshold: 0.3}} {
		s.Style = style
		a, err := judge.NewAbstract(s, m.Memory)
		if err != nil {
			t.Fatal(err)
		}
		e, where, err := a.Evaluate(ctx, m)
		if err != nil || !strings.HasPrefix(where, "the CPU") {
			t.Fatalf("evaluated on %s: %v", where, err)
		}
		r, err := judge.NewAnswer(s, m)
		if err != nil {
			t.Fatal(err)
		}
		best, err := r.Exact(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		exact := (best[0] + best[1]) / 2
		if math.Abs(exact-e.Exploitability()) > 1e-5*chip {
			t.Errorf("%+v: exploitability %v in the game itself, %v in the abstract one", style, exact,
				e.Exploitability())
		}
		local := judge.LBR{Menu: "fcpa", Deals: 2000}
		w, err := local.Play(ctx, s, m, nil)
		if err != nil || w.Deals() != 2000 {
			t.Fatalf("%v deals: %v", w, err)
		}
		if x := w.Estimated; x.Mean()-2*x.Interval95() > exact {
			t.Errorf("%+v: a local best response wins %v ± %v, a best one %v", style, x.Mean(), x.Interval95(), exact)
		}
		learned := judge.Learned{Iterations: 2000}
		answer, err := learned.Respond(ctx, s, m, nil)
		if err != nil || len(answer.Learned) != judge.Responses {
			t.Fatalf("%v: %v", answer, err)
		}
		if x := answer.Best; x.Value-2*x.Interval > exact {
			t.Errorf("%+v: a learned response wins %v ± %v, a best one %v", style, x.Value, x.Interval, exact)
		}
	}
}

// Learning ends when its time is over, or with its context.
func TestLearnedInTime(t *testing.T) {
	s := trained(t, policy.GameSpec{Game: shipped(t, "kuhn-3p")})
	answer, err := (&judge.Learned{Time: time.Millisecond}).Respond(t.Context(), s, cpu(), nil)
	if err != nil || len(answer.Learned) != judge.Responses || answer.Best.Iterations < 1 {
		t.Errorf("%+v: %v", answer, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = (&judge.Learned{Iterations: math.MaxInt}).Respond(ctx, s, cpu(), func(float64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("learning for ever: %v", err)
	}
}

// Finished boards are kept in a file, and a sample of all boards is exact.
func TestKeptBoards(t *testing.T) {
	s, m := &judge.Subject{Name: "half", Game: shipped(t, "rhode-island")}, cpu()
	file := filepath.Join(t.TempDir(), "half.real")
	answer := func() *judge.Answer {
		a, err := judge.NewAnswer(s, m)
		if err == nil {
			err = a.Keep(file)
		}
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := answer()
	drawn, err := first.Sample(t.Context(), judge.Sampling{Boards: 8, Seed: 1}, nil)
	if err != nil || drawn.Len() != 8 || first.Done() == 0 || first.Done() == first.Parts() {
		t.Fatalf("%d of %d boards: %v", first.Done(), first.Parts(), err)
	}
	bound, done := first.Bound(drawn), first.Done()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := answer()
	if second.Done() != done {
		t.Errorf("%d boards are kept, want %d", second.Done(), done)
	}
	drawn, err = second.Sample(t.Context(), judge.Sampling{Boards: second.Parts()}, nil)
	if drawn != nil || err != nil {
		t.Fatalf("a sample of all boards: %v", err)
	}
	best, err := second.Exact(t.Context(), func() { t.Error("a board is valued again") })
	if err != nil {
		t.Fatal(err)
	}
	if exact := (best[0] + best[1]) / 2; bound.Mean.Value-bound.Mean.Interval95 > exact {
		t.Errorf("the bound %+v is above %v", bound.Mean, exact)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	third := answer() // from the sum of all boards
	defer third.Close()
	drawn, err = third.Sample(t.Context(), judge.Sampling{Boards: 8}, nil)
	if drawn != nil || err != nil || third.Done() != third.Parts() {
		t.Fatalf("a sample where %d of %d boards are done: %v", third.Done(), third.Parts(), err)
	}
	if again, err := third.Exact(t.Context(), nil); err != nil || again != best {
		t.Errorf("%v from the sum of the boards, want %v: %v", again, best, err)
	}
}

// An interrupted sample is that of the boards drawn first.
func TestInterruptedSample(t *testing.T) {
	m := cpu()
	m.Threads = 1 // so that the last board is missing
	answer := func() *judge.Answer {
		a, err := judge.NewAnswer(&judge.Subject{Name: "half", Game: shipped(t, "rhode-island")}, m)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return a
	}
	ctx, interrupt := context.WithCancel(t.Context())
	cut := answer()
	drawn, err := cut.Sample(ctx, judge.Sampling{Boards: 12, Seed: 5}, func(part float64) {
		if part > .9 {
			interrupt()
		}
	})
	if err != nil || drawn.Len() < 8 || drawn.Len() >= 12 {
		t.Fatalf("%v boards: %v", drawn, err)
	}
	whole := answer()
	first, err := whole.Sample(t.Context(), judge.Sampling{Boards: drawn.Len(), Seed: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := cut.Bound(drawn), whole.Bound(first); got != want {
		t.Errorf("%+v, the first %d boards have %+v", got, drawn.Len(), want)
	}
	ctx, interrupt = context.WithCancel(t.Context())
	interrupt()
	if _, err := answer().Sample(ctx, judge.Sampling{Boards: 12}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("without boards: %v", err)
	}
}

// Deals are the same on any number of threads, and wherever they begin. An interruption leaves the outcomes of those
// that were first.
func TestOutcomes(t *testing.T) {
	s, m := &judge.Subject{Name: "half", Game: shipped(t, "leduc")}, cpu()
	m.Threads = 2
	local := judge.LBR{Menu: "fcpa", Deals: 100}
	all, err := local.Outcomes(t.Context(), s, m, nil)
	if err != nil || len(all) != local.Deals {
		t.Fatalf("%d deals: %v", len(all), err)
	}
	later := judge.LBR{Menu: "fcpa", Deals: 2, First: 10}
	if got, err := later.Outcomes(t.Context(), s, m, nil); err != nil || !slices.Equal(got, all[10:12]) {
		t.Errorf("deals 11 and 12: %+v, %v", got, err)
	}
	m.Threads = 1
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	some, err := local.Outcomes(ctx, s, m, func(deals int) {
		if deals == 60 {
			cancel(stop)
		}
	})
	if !errors.Is(err, stop) || !slices.Equal(some, all[:60]) {
		t.Errorf("%d deals after the interruption: %v", len(some), err)
	}
	local.Menu = "fx"
	if _, err := local.Outcomes(t.Context(), s, m, nil); err == nil {
		t.Error("no menu, and deals are played")
	}
}

// What cannot be is refused, and an interruption ends the work or leaves the first deals.
func TestRefused(t *testing.T) {
	s, m := &judge.Subject{Name: "call", Game: shipped(t, "leduc")}, cpu()
	if _, err := new(judge.Learned).Respond(t.Context(), s, m, nil); err == nil {
		t.Error("responses are learned to a simple player")
	}
	coarse := trained(t, policy.GameSpec{Game: s.Game, Cards: "sets"})
	if _, err := judge.NewAbstract(coarse, m.Memory); !errors.As(err, new(*publictree.NoBestResponseError)) {
		t.Errorf("buckets in the abstract game: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	m.Threads = 1
	local := judge.LBR{Menu: "fcpa", Deals: 200}
	w, err := local.Play(ctx, s, m, func(deals int) {
		if deals > 20 {
			cancel()
		}
	})
	if err != nil || w.Deals() < 20 || w.Deals() == 200 {
		t.Errorf("%+v after an interruption: %v", w, err)
	}
	if _, err := local.Play(ctx, s, m, nil); err == nil {
		t.Error("no deal was played, and there is a result")
	}
}
