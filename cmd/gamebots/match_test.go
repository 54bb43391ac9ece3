package main

import (
	"strings"
	"testing"
	"time"

	"gamebots/bots/arena"
	"gamebots/bots/havannahbot"
)

func TestMatchFlags(t *testing.T) {
	for _, test := range []struct {
		change func(*matchFlags)
		want   string // part of the error
	}{
		{func(f *matchFlags) {}, ""},
		{func(f *matchFlags) { f.b = "" }, "--a and --b"},
		{func(f *matchFlags) { f.b = "clever" }, `--b: "clever" is no bot`},
		{func(f *matchFlags) { f.setupA = []string{"time"} }, "--a: setup commands"},
		{func(f *matchFlags) { f.series.Games = 3 }, "--games: 3"},
		{func(f *matchFlags) { f.side = 1 }, "--side: "},
		{func(f *matchFlags) { f.even = 1 }, "--even: 1 is less than 1200"},
		{func(f *matchFlags) { f.series.Opening = -1 }, "must not be negative"},
		{func(f *matchFlags) { f.moveTime = []time.Duration{1, -1} }, "must not be negative"},
		{func(f *matchFlags) { f.moveTime = []time.Duration{1, 2, 3} }, "--move-time: 3 times"},
		{func(f *matchFlags) { f.sprt = []float64{50, 0} }, "--sprt: two differences"},
		{func(f *matchFlags) { f.a, f.series.AtOnce = "mcts,memory=8000000", 10 }, "the tree"},
	} {
		f := matchFlags{series: arena.Series{Games: 10, AtOnce: 1}, a: "random", b: "random", side: 5}
		test.change(&f)
		_, err := f.spec()
		if test.want == "" && err != nil || test.want != "" &&
			(err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// The flags of even openings and of a test describe a match, whose bots have different names.
func TestMatchSpec(t *testing.T) {
	f := matchFlags{
		series: arena.Series{Games: 10}, a: "random", b: "random", side: 5, even: 2000, sprt: []float64{0, 50},
		moveTime: []time.Duration{time.Second},
	}
	m, err := f.spec()
	if err != nil {
		t.Fatal(err)
	}
	if m.A.PerMove != time.Second || m.B.PerMove != time.Second {
		t.Errorf("one time a move becomes %v and %v", m.A.PerMove, m.B.PerMove)
	}
	if m.A.Name != "random (a)" || m.B.Name != "random (b)" || *m.Test != (arena.SPRT{Elo1: 50}) ||
		m.Margin != havannahbot.EvenMargin || string(m.Options) != `{"side":5}` {
		t.Errorf("%+v", m)
	}
}
