package main

import (
	"strings"
	"testing"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/usererr"
	"gamebots/solvers/selfplay"
)

// The flags of train havannah become a training, or a usage error.
func TestNetFlags(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(f *netFlags)
		want   func(j selfplay.Job) bool
		err    string // the beginning
	}{
		{name: "defaults", want: func(j selfplay.Job) bool {
			return j.Steps == defaultNetSteps && j.Limit == 0 && j.Config.Channels == 32 && j.Match.Simulations == 1000
		}},
		{name: "time alone", change: func(f *netFlags) { f.time = time.Hour }, want: func(j selfplay.Job) bool {
			return j.Steps == 0 && j.Limit == time.Hour
		}},
		{name: "no matches", change: func(f *netFlags) { f.matchEvery, f.matchGames = 0, 3 },
			want: func(j selfplay.Job) bool {
				return j.MatchEvery == 0
			}},
		{name: "size", change: func(f *netFlags) { f.size = "4x20" }, err: "--size: 20 channels"},
		{name: "odd games", change: func(f *netFlags) { f.matchGames = 3 },
			err: "3 games of a match are not an even number"},
		{name: "cooldown", change: func(f *netFlags) { f.cooldown = 1 }, err: "a cooldown of 1 is not a part"},
		{name: "sides", change: func(f *netFlags) { f.sides = []int{2} }, err: "side 2 is not from 3"},
	} {
		f := netFlags{sides: []int{4}, size: "4x32", output: "a.net",
			matchEvery: 250, matchGames: 40, simulations: 1000, device: cudalib.CPU()}
		if test.change != nil {
			test.change(&f)
		}
		j, err := f.job()
		if test.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), test.err) || !usererr.IsUsage(err) {
				t.Errorf("%s: error %v, want %s", test.name, err, test.err)
			}
		} else if err != nil || !test.want(j) {
			t.Errorf("%s: %+v, %v", test.name, j, err)
		}
	}
}
