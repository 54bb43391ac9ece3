package tournament

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"gamebots/bots/arena"
	"gamebots/bots/grid"

	"github.com/zeebo/xxh3"
)

// Tournament plays the shards of a run that are not stored yet.
type Tournament struct {
	Store Store
	Run   *arena.Run
	Grid  grid.Grid
	// Ship sends strategy files along with the jobs, for workers on other machines,
	// up to a total size. Larger files must be where the plan names them.
	Ship bool
	// OnProgress, if not nil, is called once with the stored results, and then after
	// each new one. It must not keep the pointer.
	OnProgress func(*Progress)

	progress Progress
	tables   []table
	stored   map[int]bool
	failed   map[int]bool // shards noted as failed by an earlier Play
}

// Store keeps the results of a run. *store.Store is one.
type Store interface {
	// Tallies returns the stored results with sequence numbers above after, without
	// their games.
	Tallies(ctx context.Context, r *arena.Run) ([]arena.ShardResult, error)
	// Put stores a result and reports whether it was new.
	Put(ctx context.Context, r *arena.Run, shard int, result *arena.Result) (fresh bool, err error)
	// FailedShards returns the shards noted as failed, NoteFailed notes one, and
	// ClearFailed removes the note.
	FailedShards(ctx context.Context, r *arena.Run) ([]arena.FailedShard, error)
	NoteFailed(ctx context.Context, r *arena.Run, shard, tries int, cause error) error
	ClearFailed(ctx context.Context, r *arena.Run, shard int) error
	// Stop notes the early end of a table.
	Stop(ctx context.Context, r *arena.Run, table int, stop arena.Stop) error
	// End notes that all of the run is played.
	End(ctx context.Context, r *arena.Run) error
}

// Progress is the state of a run that is being played.
type Progress struct {
	Stored, Shards int // shards: stored, and in all
	Games, Total   int // hands or games: stored, and in all
	Fresh          int // hands or games stored by this call of Play
}

// table has the results of a table in the order of its shards, for the sequential
// test.
type table struct {
	parts   int // number of shards in sum
	sum     arena.Tally
	waiting map[int]arena.Tally // results that arrived before their turn, by part
}

// Play plays all shards that are not stored yet, and then notes the end of the run.
// Where shards fail it stores all others and returns a *grid.FailedJobsError.
func (t *Tournament) Play(ctx context.Context) error {
	p := t.Run.Plan
	shared, err := bundle(p, t.Ship)
	if err != nil {
		return err
	}
	if err := t.load(ctx); err != nil {
		return err
	}
	err = t.Grid.Run(ctx, t.jobs(shared), func(job grid.Job, result []byte) error {
		r, err := arena.ParseResult(result)
		if err != nil {
			return err
		}
		// A finished shard is stored even after the run was cancelled.
		return t.put(context.WithoutCancel(ctx), p.At(job.Shard), &r)
	})
	if failed := (*grid.FailedJobsError)(nil); errors.As(err, &failed) {
		for _, j := range failed.Jobs {
			if e := t.Store.NoteFailed(context.WithoutCancel(ctx), t.Run, j.Job.Shard, j.Tries, j.Err); e != nil {
				return errors.Join(err, e)
			}
		}
	}
	if err != nil {
		return err
	}
	return t.Store.End(ctx, t.Run)
}

// load reads and counts the stored results.
func (t *Tournament) load(ctx context.Context) error {
	p := t.Run.Plan
	t.progress = Progress{Shards: p.Shards(), Total: p.Games() * len(p.Tables)}
	t.tables, t.stored, t.failed = make([]table, len(p.Tables)), map[int]bool{}, map[int]bool{}
	failed, err := t.Store.FailedShards(ctx, t.Run)
	if err != nil {
		return err
	}
	for _, f := range failed {
		t.failed[f.Shard] = true
	}
	results, err := t.Store.Tallies(ctx, t.Run)
	if err != nil {
		return err
	}
	for _, stop := range t.Run.Stops {
		t.applyStop(stop)
	}
	for _, r := range results {
		if err := t.count(ctx, r.Shard, &r.Tally); err != nil {
			return err
		}
	}
	t.progress.Fresh = 0
	t.report()
	return nil
}

// jobs yields the shards that are wanted and not stored.
func (t *Tournament) jobs(shared []byte) iter.Seq[grid.Job] {
	// A grid identifies a run by its name and may still hold results of an earlier
	// one. The checksum keeps those of another plan apart.
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

// put checks, stores and counts a result.
func (t *Tournament) put(ctx context.Context, shard arena.Shard, r *arena.Result) error {
	if err := t.check(shard, r); err != nil {
		return err
	}
	if t.failed[shard.Number] {
		if err := t.Store.ClearFailed(ctx, t.Run, shard.Number); err != nil {
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
	t.report()
	return nil
}

// check refuses a result whose size is not the shard's. A worker of another version
// may have sent it.
func (t *Tournament) check(shard arena.Shard, r *arena.Result) error {
	p := t.Run.Plan
	if r.Tally.Units != shard.Count || r.Tally.Games != shard.Count*len(p.Orders) ||
		len(r.Tally.Scores) != len(p.Tables[shard.Table]) {
		return fmt.Errorf("run %s, shard %d: a result of %d units and %d games", p.Name, shard.Number,
			r.Tally.Units, r.Tally.Games)
	}
	return nil
}

// count counts a stored result, and stops its table where the sequential test
// decides.
func (t *Tournament) count(ctx context.Context, shard arena.Shard, tally *arena.Tally) error {
	if !t.Run.Wanted(shard) {
		return nil
	}
	t.stored[shard.Number] = true
	t.progress.Stored++
	t.progress.Games += tally.Games
	t.progress.Fresh += tally.Games
	p := t.Run.Plan
	if !p.Stop.Test() {
		return nil
	}
	at := &t.tables[shard.Table]
	if at.waiting == nil {
		at.waiting = map[int]arena.Tally{}
	}
	at.waiting[shard.Part] = *tally
	for {
		next, arrived := at.waiting[at.parts]
		if !arrived {
			return nil
		}
		delete(at.waiting, at.parts)
		at.parts++
		at.sum.Add(&next)
		decided := arena.Decided(p, &at.sum)
		if decided == 0 || at.parts*len(p.Tables) >= p.Shards() {
			continue
		}
		if _, stopped := t.Run.Stops[shard.Table]; stopped {
			continue // noted by an earlier Play
		}
		stop := arena.Stop{Parts: at.parts, Decided: decided}
		if err := t.Store.Stop(ctx, t.Run, shard.Table, stop); err != nil {
			return err
		}
		t.Run.Stops[shard.Table] = stop
		t.applyStop(stop)
		for part, later := range at.waiting { // the store has dropped them
			delete(at.waiting, part)
			t.progress.Stored--
			t.progress.Games -= later.Games
		}
		return nil
	}
}

// applyStop subtracts the shards and games behind a stop from the totals.
func (t *Tournament) applyStop(stop arena.Stop) {
	p := t.Run.Plan
	parts := p.Shards() / len(p.Tables)
	t.progress.Shards -= parts - stop.Parts
	t.progress.Total -= p.Games() - min(stop.Parts*p.Shard, p.Units)*len(p.Orders)
}

func (t *Tournament) report() {
	if t.OnProgress != nil {
		t.OnProgress(&t.progress)
	}
}
