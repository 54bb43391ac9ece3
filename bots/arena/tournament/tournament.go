package tournament

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/store"
	"gamebots/bots/grid"

	"github.com/zeebo/xxh3"
)

// Tournament is a run that is played.
type Tournament struct {
	Store *store.Store
	Run   *store.Run
	Grid  grid.Grid
	// Ship sends strategy files along with the jobs, for workers on other machines,
	// up to a size; those of larger ones need the files where the plan names them.
	Ship bool
	// Told, if not nil, is told of every result that was stored, of those from
	// before and then of each as it comes.
	Told func(*Progress)

	progress Progress
	tables   []table
	stored   map[int]bool
	troubled map[int]bool // shards that could not be played before
}

// Progress is how far a run is.
type Progress struct {
	Stored, Shards int // of shards
	Games, Total   int // of hands or games
	Fresh          int // games of this call of Play
	Sums           []plan.Tally
	Stops          map[int]store.Stop
}

// table is what of a table counts: its results in order, for the test.
type table struct {
	parts   int // that are counted
	sum     plan.Tally
	waiting map[int]plan.Tally // results that came before their turn
}

// Play plays what is not stored yet, and notes the end. It returns a *grid.Dead if
// shards could not be played; all others are stored then, too.
func (t *Tournament) Play(ctx context.Context) error {
	p := t.Run.Plan
	shared, err := bundle(p, t.Ship)
	if err != nil {
		return err
	}
	if err := t.recall(ctx); err != nil {
		return err
	}
	err = t.Grid.Run(ctx, t.jobs(shared), func(job grid.Job, result []byte) error {
		r, err := plan.ParseResult(result)
		if err != nil {
			return err
		}
		// What is played is kept, also when somebody asks for the end.
		return t.keep(context.WithoutCancel(ctx), p.At(job.Shard), &r)
	})
	if dead := (*grid.Dead)(nil); errors.As(err, &dead) {
		for _, l := range dead.Letters {
			if e := t.Store.Trouble(context.WithoutCancel(ctx), t.Run, l.Job.Shard, l.Tries, l.Err); e != nil {
				return errors.Join(err, e)
			}
		}
	}
	if err != nil {
		return err
	}
	return t.Store.End(ctx, t.Run)
}

// recall takes up what is stored.
func (t *Tournament) recall(ctx context.Context) error {
	p := t.Run.Plan
	t.progress = Progress{Shards: p.Shards(), Total: p.Games() * len(p.Tables), Sums: make([]plan.Tally, len(p.Tables)), Stops: map[int]store.Stop{}}
	t.tables, t.stored, t.troubled = make([]table, len(p.Tables)), map[int]bool{}, map[int]bool{}
	troubles, err := t.Store.Troubles(ctx, t.Run)
	if err != nil {
		return err
	}
	for _, trouble := range troubles {
		t.troubled[trouble.Shard] = true
	}
	tallies, err := t.Store.Tallies(ctx, t.Run, 0)
	if err != nil {
		return err
	}
	for table, stop := range t.Run.Stops {
		t.stopped(table, stop)
	}
	for _, x := range tallies {
		if err := t.count(ctx, x.Shard, &x.Tally); err != nil {
			return err
		}
	}
	t.progress.Fresh = 0
	t.tell()
	return nil
}

// jobs are the shards that are neither stored nor needless.
func (t *Tournament) jobs(shared []byte) iter.Seq[grid.Job] {
	// A grid knows a run by its name, and may have results of it: those of another
	// plan must not be taken for them.
	name := fmt.Sprintf("%s %016x", t.Run.Plan.Name, xxh3.Hash(shared))
	return func(yield func(grid.Job) bool) {
		for shard := range t.Run.Plan.All() {
			if t.stored[shard.Number] || !t.Run.Wanted(shard) {
				continue
			}
			if !yield(grid.Job{Run: name, Shard: shard.Number, Seed: shard.Seed, Kind: Kind, Shared: shared}) {
				return
			}
		}
	}
}

// keep stores a result.
func (t *Tournament) keep(ctx context.Context, shard plan.Shard, r *plan.Result) error {
	if err := t.check(shard, r); err != nil {
		return err
	}
	if t.troubled[shard.Number] {
		if err := t.Store.Trouble(ctx, t.Run, shard.Number, 0, nil); err != nil {
			return err
		}
	}
	fresh, err := t.Store.Put(ctx, t.Run, shard.Number, r)
	if err != nil || !fresh {
		return err
	}
	if err := t.count(ctx, shard, &r.Tally); err != nil {
		return err
	}
	t.tell()
	return nil
}

// check refuses a result that is not one of the shard: a worker of another
// version may have sent it.
func (t *Tournament) check(shard plan.Shard, r *plan.Result) error {
	p := t.Run.Plan
	if r.Tally.Units != shard.Count || r.Tally.Games != shard.Count*len(p.Orders) || len(r.Tally.Scores) != len(p.Tables[shard.Table]) {
		return fmt.Errorf("run %s, shard %d: a result of %d units and %d games", p.Name, shard.Number, r.Tally.Units, r.Tally.Games)
	}
	return nil
}

// count counts a stored result, and stops its table where that decides its test.
func (t *Tournament) count(ctx context.Context, shard plan.Shard, tally *plan.Tally) error {
	if !t.Run.Wanted(shard) {
		return nil
	}
	t.stored[shard.Number] = true
	t.progress.Stored++
	t.progress.Games += tally.Games
	t.progress.Fresh += tally.Games
	t.progress.Sums[shard.Table].Add(tally)
	p := t.Run.Plan
	if !p.Stop.Test() {
		return nil
	}
	at := &t.tables[shard.Table]
	if at.waiting == nil {
		at.waiting = map[int]plan.Tally{}
	}
	at.waiting[shard.Part] = *tally
	for {
		next, there := at.waiting[at.parts]
		if !there {
			return nil
		}
		delete(at.waiting, at.parts)
		at.parts++
		at.sum.Add(&next)
		decided := plan.Decided(p, &at.sum)
		if decided == 0 || at.parts*len(p.Tables) >= p.Shards() {
			continue
		}
		if _, stopped := t.Run.Stops[shard.Table]; stopped {
			continue // as it was noted before
		}
		stop := store.Stop{Parts: at.parts, Decided: decided}
		if err := t.Store.Stop(ctx, t.Run, shard.Table, stop.Parts, stop.Decided); err != nil {
			return err
		}
		t.Run.Stops[shard.Table] = stop
		t.stopped(shard.Table, stop)
		t.progress.Sums[shard.Table] = at.sum
		for part, later := range at.waiting { // those that were stored behind it
			delete(at.waiting, part)
			t.progress.Stored--
			t.progress.Games -= later.Games
		}
		return nil
	}
}

// stopped takes what a stop leaves out of what there is to play.
func (t *Tournament) stopped(table int, stop store.Stop) {
	p := t.Run.Plan
	parts := p.Shards() / len(p.Tables)
	t.progress.Stops[table] = stop
	t.progress.Shards -= parts - stop.Parts
	t.progress.Total -= p.Games() - min(stop.Parts*p.Shard, p.Units)*len(p.Orders)
}

func (t *Tournament) tell() {
	if t.Told != nil {
		t.Told(&t.progress)
	}
}
