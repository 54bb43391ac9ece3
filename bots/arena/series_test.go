package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"
	"gamebots/internal/stats"
	"gamebots/internal/testkit"
)

func series() *Series {
	return &Series{
		Rules: boards.Havannah{}, Options: json.RawMessage(`{"side":4}`),
		A:     Contestant{Name: "a", Bot: havannahbot.Bot(havannahbot.Playouts{Seed: 1, Games: 8})},
		B:     Contestant{Name: "b", Bot: havannahbot.Bot(havannahbot.Random{Seed: 2})},
		Games: 10, Opening: 2, Seed: 3, AtOnce: 2,
	}
}

func play(t *testing.T, s *Series, done int) (games []*GameRecord) {
	t.Helper()
	err := s.Play(t.Context(), done, func(g *GameRecord) (bool, error) {
		games = append(games, g)
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// TestSeries is the same however many games are played at a time, and when it
// goes on after some.
func TestSeries(t *testing.T) {
	all := play(t, series(), 0)
	var standing Standing
	for i, g := range all {
		other := *series()
		other.Seed = 4
		if g.Number != i || g.Book != 2 || g.Fault != "" || !series().Has(g) || other.Has(g) {
			t.Errorf("game %d: %+v", i, g)
		}
		if i%2 == 1 && (!reflect.DeepEqual(g.Moves[:2], all[i-1].Moves[:2]) || g.First != all[i-1].Second) {
			t.Errorf("game %d is not the other half of %v: %v", i, all[i-1], g)
		}
		if want := map[string]float64{"a": 1, "b": 0, "draw": 0.5}[g.Winner]; g.Score != want {
			t.Errorf("score %v of %+v", g.Score, g)
		}
		standing.Add(g.Score)
	}
	if standing.Wins < 8 || standing.Games() != 10 {
		t.Errorf("%+v", standing)
	}
	one := series()
	one.AtOnce = 1
	if rest := play(t, one, 6); !reflect.DeepEqual(rest, all[6:]) {
		t.Errorf("%v, not %v", rest, all[6:])
	}
}

// faulty is a bot with a fault.
type faulty string

func (f faulty) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) {
	if f == "stays away" {
		return nil, errors.New("no")
	}
	return f, nil
}
func (f faulty) Close() error { return nil }

func (f faulty) Decide(context.Context, *wire.Game, hexproto.Budget) (hexproto.Decision, error) {
	switch f {
	case "fails":
		return hexproto.Decision{}, errors.New("out of ideas")
	case "resigns":
		return hexproto.Decision{Resign: true}, nil
	}
	return hexproto.Decision{Move: "z9"}, nil
}

func TestFaultyContestants(t *testing.T) {
	for _, fault := range []string{"stays away", "fails", "resigns", "moves badly"} {
		s := series()
		s.Games, s.B.Bot = 2, faulty(fault)
		for _, g := range play(t, s, 0) {
			if g.Score != 1 || (g.Fault == "") != (fault == "resigns") {
				t.Errorf("%s: %+v", fault, g)
			}
		}
	}
}

// TestSeriesEnds early, by the callback, by an error and by the context.
func TestSeriesEnds(t *testing.T) {
	s, told := series(), 0
	if err := s.Play(t.Context(), 0, func(*GameRecord) (bool, error) { told++; return told < 3, nil }); err != nil ||
		told != 3 {
		t.Errorf("%d games, %v", told, err)
	}
	full := errors.New("disk full")
	if err := s.Play(t.Context(), 0, func(*GameRecord) (bool, error) { return true, full }); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Play(ctx, 0,
		func(*GameRecord) (bool, error) { t.Error("told"); return true, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// standingOf counts games, an opening for each two of them.
func standingOf(scores ...float64) *Standing {
	var s Standing
	for _, x := range scores {
		s.Add(x)
	}
	return &s
}

// Openings are the observations: Student's interval of their mean scores, or Wilson's where all
// are the same.
func TestStanding(t *testing.T) {
	for _, test := range []struct {
		name      string
		games     []float64
		low, high float64
	}{
		{"nothing", nil, 0, 1},
		{"half an opening", []float64{1}, 0, 1},
		{"one opening", []float64{1, 1}, 0, 1},
		// Means 1, 1/2, 1, 1/2 with a variance of 1/12.
		{"four openings", []float64{1, 1, 1, 0, 1, 1, 0, 1}, 0.75 - 3.18245/math.Sqrt(48), 1},
		{"and half of the fifth", []float64{1, 1, 1, 0, 1, 1, 0, 1, 0}, 0.75 - 3.18245/math.Sqrt(48), 1},
		{"all won", []float64{1, 1, 1, 1}, 1 / (1 + stats.Z95*stats.Z95/2), 1},
		{"all lost", []float64{0, 0, 0, 0}, 0, 1 - 1/(1+stats.Z95*stats.Z95/2)},
		// Wilson's interval of 1/2 of 3.
		{"always the first colour", []float64{1, 0, 1, 0, 1, 0}, 0.5 - 0.3746, 0.5 + 0.3746},
	} {
		low, high := standingOf(test.games...).Interval95()
		if math.Abs(low-test.low) > 1e-4 || math.Abs(high-test.high) > 1e-4 {
			t.Errorf("%s: %v to %v, want %v to %v", test.name, low, high, test.low, test.high)
		}
	}
	if s := standingOf(1, 0.5, 0, 1); s.Wins != 2 || s.Draws != 1 || s.Losses != 1 || s.Score() != 0.625 {
		t.Errorf("%+v", s)
	}
	if e := stats.Elo(0.75); math.Abs(e-190.85) > 0.01 || math.Abs(scoreOf(e)-0.75) > 1e-12 ||
		!math.IsInf(stats.Elo(1), 1) || !math.IsInf(stats.Elo(0), -1) {
		t.Errorf("%v", e)
	}
}

func TestSPRT(t *testing.T) {
	test := SPRT{0, 50}
	for _, c := range []struct {
		openings             int
		mean, variance, want float64
	}{
		{0, 0, math.Inf(1), 0}, {1, 1, math.Inf(1), 0}, {3, 1, 0, 0},
		{250, 0.6, 0.12, 1}, {250, 0.4, 0.12, -1}, {250, 0.52, 0.12, 0},
		{50, 1, 0, 1}, {50, 0, 0, -1},
		{10, 0.5, 0, 0}, {50, 0.5, 0, -1}, // half of the points of all openings
	} {
		if got := test.Decided(c.openings, c.mean, c.variance); got != int(c.want) {
			t.Errorf("%+v: %d, ratio %v", c, got, test.Ratio(c.openings, c.mean, c.variance))
		}
	}
}

// TestOpenings are stones, and no swap of the first.
func TestOpenings(t *testing.T) {
	s := series()
	s.Options = json.RawMessage(`{"side":3}`)
	for pair := range 300 {
		turns, err := s.opening(t.Context(), pair)
		if err != nil || len(turns) != 2 || turns[1][1] == "swap" || turns[1][1] == "" {
			t.Fatalf("opening %d: %v, %v", pair, turns, err)
		}
	}
}

// half is a judge who likes openings whose first move is in the upper rows. It counts
// how often it is asked about each.
type half struct {
	hexproto.Bot
	mu    *sync.Mutex
	asked map[string]int
}

func (h half) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) { return h, nil }
func (half) Close() error                                                     { return nil }

func (h half) Decide(_ context.Context, g *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	h.mu.Lock()
	h.asked[fmt.Sprint(g.Game, g.Moves)]++
	h.mu.Unlock()
	value := 0.9
	if g.Moves[0].Move[0] < 'd' {
		value = 0.45
	}
	return hexproto.Decision{Rated: []wire.Rated{{Value: value}}}, nil
}

// TestJudge plays only openings that the judge calls even, and no match without
// any. He is asked once for both games of a pair.
func TestJudge(t *testing.T) {
	s, judge := series(), half{mu: new(sync.Mutex), asked: map[string]int{}}
	s.Judge, s.Margin = judge, 0.1
	for i, g := range play(t, s, 0) {
		if g.Moves[0][0] >= 'd' || g.Book != 2 {
			t.Errorf("game %d: %+v", i, g)
		}
	}
	if len(judge.asked) < s.Games/2 {
		t.Errorf("%d openings are judged", len(judge.asked))
	}
	for opening, n := range judge.asked {
		if n != 1 {
			t.Errorf("%s is judged %d times", opening, n)
		}
	}
	s.Margin = 0.01
	if err := s.Play(t.Context(), 0, func(*GameRecord) (bool, error) { return true, nil }); err == nil {
		t.Error("no opening is even, and they were played")
	}
}

// clocked plays a random move, and sends the time of a move that its clock has, in the game's state and in its budget.
type clocked struct {
	seen chan [2]time.Duration
}

func (c clocked) Open(ctx context.Context, g *wire.Game, seat int) (hexproto.Engine, error) {
	e, err := havannahbot.Bot(havannahbot.Random{}).Open(ctx, g, seat)
	return clockedEngine{e, c.seen}, err
}

type clockedEngine struct {
	hexproto.Engine
	seen chan [2]time.Duration
}

func (e clockedEngine) Decide(ctx context.Context, g *wire.Game, b hexproto.Budget) (hexproto.Decision, error) {
	select {
	case e.seen <- [2]time.Duration{time.Duration(g.Clock.PerMove) * time.Millisecond, b.PerMove}:
	default: // one of its times is known
	}
	return e.Engine.Decide(ctx, g, b)
}

// A bot has its own time of a move, or that of the series.
func TestTimes(t *testing.T) {
	s := series()
	a, b := clocked{seen: make(chan [2]time.Duration, 1)}, clocked{seen: make(chan [2]time.Duration, 1)}
	s.A.Bot, s.A.PerMove, s.B.Bot, s.PerMove = a, time.Hour, b, time.Minute
	play(t, s, 0)
	if got := <-a.seen; got != [2]time.Duration{time.Hour, time.Hour} {
		t.Errorf("a has %v, want an hour", got)
	}
	if got := <-b.seen; got != [2]time.Duration{time.Minute, time.Minute} {
		t.Errorf("b has %v, want a minute", got)
	}
}

// Scores of matches spread over the seeds as is stated.
func TestSpreadMatch(t *testing.T) {
	testkit.Spread(t, "havannah", 60, func(seed uint64) map[string]testkit.Stated {
		m := &Match{Series: *series()}
		m.Options, m.A.Bot = json.RawMessage(`{"side":3}`), havannahbot.Bot(havannahbot.Random{Seed: 1})
		m.Games, m.Seed, m.AtOnce = 100, seed, 1
		if err := m.Play(t.Context()); err != nil {
			t.Fatal(err)
		}
		return map[string]testkit.Stated{"score": testkit.StatedOf(&m.Score.openings)}
	})
}
