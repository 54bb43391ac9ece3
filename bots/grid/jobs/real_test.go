package jobs_test

import (
	"context"
	"reflect"
	"strconv"
	"testing"

	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/configs"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"
)

// A grid has the bits of one machine, also where some parts were there before.
func TestAnswerReal(t *testing.T) {
	g, err := configs.Game("rhode-island")
	if err != nil {
		t.Fatal(err)
	}
	strategy, err := bestresponse.PlainIn(policy.PlainHalf, g, betting.Actions{})
	if err != nil {
		t.Fatal(err)
	}
	r, ctx := bestresponse.New(strategy), context.Background()
	want, parts := make([]bestresponse.PartValues, r.Parts()), make([]bestresponse.PartValues, r.Parts())
	if err := r.Value(ctx, r.Missing(want), 2, func(part int, v bestresponse.PartValues) error {
		want[part] = v
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	parts[3] = want[3]
	local := &grid.Local{Kinds: jobs.Kinds(), Threads: 2}
	s := jobs.RealStrategy{Plain: policy.PlainHalf, Name: g.Name, Game: g.String()}
	err = jobs.AnswerReal(ctx, local, s, r, r.Missing(parts), func(part int, v bestresponse.PartValues) error {
		if part == 3 || parts[part][0] != nil {
			t.Errorf("part %d is valued again", part)
		}
		parts[part] = v
		return nil
	})
	if err != nil || !reflect.DeepEqual(parts, want) {
		t.Errorf("the values differ: %v", err)
	}
}

// A worker refuses parts that there are not.
func TestRealJobRefuses(t *testing.T) {
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	for shared, spec := range map[string]string{
		`{"plain":"call","name":"leduc","game":` + strconv.Quote(g.String()) + `}`: `[99]`,
		`{"plain":"call","game":"no game"}`:                                        `[0]`,
		`{"file":"AAAA"}`:                                                          `[0]`,
		`{`:                                                                        `[0]`,
	} {
		if _, err := jobs.RealJob()(context.Background(),
			grid.Job{Spec: []byte(spec), Shared: []byte(shared)}); err == nil {
			t.Errorf("%s of %s is done", spec, shared)
		}
	}
}
