package tournament

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"gamebots/bots/grid"
	"gamebots/solvers/cfr/train"
)

// trainedRun is a run with a player that is trained for it.
const trainedRun = `run = {name = "trained", game = "kuhn", shard = 10}
poker = {deals = 20}
player = [{name = "a", kind = "trained", iterations = 1}, {name = "b", kind = "random"}]
`

// jobOf returns the job of a run's first shard.
func jobOf(t *testing.T, p *Players, text string) grid.Job {
	t.Helper()
	run, err := p.Plan(settings(t, text))
	if err != nil {
		t.Fatal(err)
	}
	shared, err := bundle(run, false)
	if err != nil {
		t.Fatal(err)
	}
	return grid.Job{Run: run.Name, Kind: Kind, Shared: shared}
}

// While a strategy is trained, shards of other runs are played and released, and
// shards of the same run wait for the one training.
func TestTrainingBlocksNoOtherRun(t *testing.T) {
	p := testPlayers()
	defer p.Close()
	inner, begun, finish := p.Train, make(chan struct{}), make(chan struct{})
	var trained atomic.Int32
	p.Train = func(ctx context.Context, player string, spec train.Spec, iterations uint64, file string) error {
		if trained.Add(1) == 1 {
			close(begun)
		}
		<-finish
		return inner(ctx, player, spec, iterations, file)
	}
	slow := jobOf(t, p, trainedRun)
	results := make(chan error, 3)
	for range cap(results) {
		go func() {
			_, err := p.Play(t.Context(), slow)
			results <- err
		}()
	}
	<-begun
	other := jobOf(t, p,
		`run = {name = "other", game = "kuhn", shard = 10}`+"\npoker = {deals = 20}\n"+players("call", "random"))
	for range 2 { // opens a session and releases it, then finds it open
		if _, err := p.Play(t.Context(), other); err != nil {
			t.Fatal(err)
		}
	}
	close(finish)
	for range cap(results) {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if n := trained.Load(); n != 1 {
		t.Errorf("trained %d times", n)
	}
}

// A shard that waited for the training of another, which was cancelled, trains itself.
func TestCancelledTraining(t *testing.T) {
	p := testPlayers()
	defer p.Close()
	inner, begun := p.Train, make(chan struct{})
	var trained atomic.Int32
	p.Train = func(ctx context.Context, player string, spec train.Spec, iterations uint64, file string) error {
		if trained.Add(1) == 1 {
			close(begun)
			<-ctx.Done()
			return context.Cause(ctx)
		}
		return inner(ctx, player, spec, iterations, file)
	}
	job := jobOf(t, p, trainedRun)
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { _, err := p.Play(ctx, job); first <- err }()
	<-begun
	go func() { _, err := p.Play(t.Context(), job); second <- err }()
	cancel(stopped)
	if err := <-first; !errors.Is(err, stopped) {
		t.Errorf("the cancelled shard: error %v", err)
	}
	if err := <-second; err != nil {
		t.Errorf("the other shard: %v", err)
	}
}
