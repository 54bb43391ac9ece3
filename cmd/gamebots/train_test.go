package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/train"
)

// The flags of train become a training, or an error that names the flag.
func TestTrainFlags(t *testing.T) {
	game, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		change func(f *trainFlags)
		given  []string
		want   func(j train.Job) bool
		err    string // the beginning
	}{
		{name: "defaults", want: func(j train.Job) bool {
			return j.File == "leduc.strategy" && j.Goal == train.Goal{Iterations: 1000} && j.Limit == 0 &&
				j.Memory > 0 && !j.Plotted && !j.NoResponse
		}},
		{name: "time alone", change: func(f *trainFlags) { f.Limit = time.Minute }, want: func(j train.Job) bool {
			return j.Goal == train.Goal{} && j.Limit == time.Minute
		}},
		{name: "target", change: func(f *trainFlags) { f.target = "1mb" }, want: func(j train.Job) bool {
			return j.Goal == train.Goal{Exploitability: 0.001}
		}},
		{name: "outputs", change: func(f *trainFlags) { f.File, f.plot = "a", "b.svg" },
			want: func(j train.Job) bool { return j.File == "a" && j.Plotted && j.Curve == "" }},
		{name: "a curve", change: func(f *trainFlags) { f.plot = "c.csv" },
			want: func(j train.Job) bool { return !j.Plotted && j.Curve == "c.csv" }},
		{name: "seed of a sampling", change: func(f *trainFlags) { f.Algorithm, f.Seed = "external", 3 },
			given: []string{"seed"},
			want:  func(j train.Job) bool { return j.Seed == 3 }},
		{name: "seed", given: []string{"seed"}, err: "--seed has no effect: dcfr(1.5,0,2) makes no random choices"},
		{name: "time", change: func(f *trainFlags) { f.Limit = -time.Second }, err: "--time: -1s is negative"},
		{name: "bits", change: func(f *trainFlags) { f.Bits = 8 }, err: "--storage: 8 is neither 16 nor 32"},
		{name: "64 bits", change: func(f *trainFlags) { f.Bits = 64 }, err: "--storage: 64 bits went with 0.3.0"},
		{name: "menu", change: func(f *trainFlags) { f.OpponentActions = "none.toml" }, err: "--opponent-actions: "},
		{name: "target 0", change: func(f *trainFlags) { f.target = "0" }, err: "--target: "},
	} {
		var f trainFlags
		f.Cards, f.Bits = "lossless", 32
		if test.change != nil {
			test.change(&f)
		}
		j, err := f.job(nil, game, func(flag string) bool { return slices.Contains(test.given, flag) })
		if err = trainingError(err); test.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), test.err) || !usererr.IsUsage(err) {
				t.Errorf("%s: error %v, want %s", test.name, err, test.err)
			}
		} else if err != nil || !test.want(j) {
			t.Errorf("%s: %+v, %v", test.name, j, err)
		}
	}
}
