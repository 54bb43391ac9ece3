package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"

	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/configs"
	"gamebots/solvers/policy"
)

// An interruption leaves the outcomes of the first deals, which are those of a whole match.
func TestPlayLBR(t *testing.T) {
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	match := jobs.LBRMatch{Plain: policy.PlainHalf, Name: g.Name, Game: g.String(), Menu: "fcpa"}
	local := &grid.Local{Kinds: jobs.Kinds(), Threads: 2}
	const deals = 100
	all, err := jobs.PlayLBR(t.Context(), local, &match, deals, nil)
	if err != nil || len(all) != deals {
		t.Fatalf("%d deals: %v", len(all), err)
	}
	match.First = 10
	later, err := jobs.PlayLBR(t.Context(), local, &match, 2, nil)
	if err != nil || !slices.Equal(later, all[10:12]) {
		t.Errorf("deals 11 and 12: %+v, %v", later, err)
	}
	match.First = 0
	local.Threads = 1 // one after the other
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	some, err := jobs.PlayLBR(ctx, local, &match, deals, func(played int) {
		if played > deals/2 {
			cancel(stop)
		}
	})
	if !errors.Is(err, stop) || len(some) == 0 || len(some) == deals {
		t.Fatalf("%d deals after the interruption: %v", len(some), err)
	}
	for i, o := range some {
		if o != all[i] {
			t.Errorf("deal %d: %+v, without interruption %+v", i, o, all[i])
		}
	}
}

// A worker refuses matches and deals that there are not.
func TestLBRJobRefuses(t *testing.T) {
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	leduc := `"plain":"call","name":"leduc","game":` + strconv.Quote(g.String())
	for _, test := range []struct{ shared, spec string }{
		{`{` + leduc + `,"menu":"fx"}`, `[0,1]`},
		{`{` + leduc + `,"menu":"fc"}`, `[0,`},
		{`{"plain":"call","game":"no game","menu":"fc"}`, `[0,1]`},
		{`{"file":"AAAA","menu":"fc"}`, `[0,1]`},
		{`{`, `[0,1]`},
	} {
		if _, err := jobs.LBRJob()(context.Background(),
			grid.Job{Spec: []byte(test.spec), Shared: []byte(test.shared)}); err == nil {
			t.Errorf("%s of %s is done", test.spec, test.shared)
		}
	}
}
