package tournament

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"gamebots/bots/arena"
	"gamebots/bots/grid"
	"gamebots/configs"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
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

// A shard whose players cannot be opened leaves no file and no session of its own, however often it is tried.
func TestTriesLeaveNothing(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	p := testPlayers()
	defer p.Close()
	p.Train = func(_ context.Context, _ string, _ train.Spec, _ uint64, file string) error {
		return errors.Join(os.WriteFile(file, nil, 0o600), errors.New("never"))
	}
	job := jobOf(t, p, trainedRun)
	for range 10 {
		if _, err := p.Play(t.Context(), job); err == nil {
			t.Fatal("it was played")
		}
	}
	left, err := os.ReadDir(folder)
	if s := p.sessions.all; err != nil || len(left) > 0 || len(s) != 1 || s[0].session != nil || s[0].users != 0 {
		t.Errorf("%v and %d sessions are left: %v", left, len(s), err)
	}
}

// Of more sessions than may be open, the one closes that was not used for the longest time.
func TestOldestSessionCloses(t *testing.T) {
	var c sessions
	use := func(key uint64) { c.release(c.hold(key)) }
	keys := func() (all []uint64) {
		for _, s := range c.all {
			all = append(all, s.key)
		}
		return all
	}
	for key := range uint64(maxSessions) {
		use(key)
	}
	use(0)
	busy := c.hold(1)
	if use(100); !slices.Equal(keys(), []uint64{3, 0, 1, 100}) {
		t.Errorf("%v are open", keys())
	}
	for key := range uint64(10) {
		use(101 + key)
	}
	if !slices.Equal(keys(), []uint64{1, 108, 109, 110}) {
		t.Errorf("%v are open", keys())
	}
	for key := range uint64(maxSessions) {
		c.hold(1000 + key)
	}
	c.release(busy)
	if c.close(); !slices.Equal(keys(), []uint64{1000, 1001, 1002, 1003}) {
		t.Errorf("%v are open after the end", keys())
	}
}

// Players of one file share it, whatever their style, but not the one that solves other rounds.
func TestStrategyIsOpenedOnce(t *testing.T) {
	p := testPlayers()
	defer p.Close()
	file := filepath.Join(t.TempDir(), "leduc.strategy")
	game, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	spec := train.Spec{GameSpec: policy.GameSpec{Game: game, Cards: "lossless"}, Seed: 1}
	if err := trainPlayer(t.Context(), "", spec, 3, file); err != nil {
		t.Fatal(err)
	}
	text := "run = {name = \"shared\", game = \"leduc\", shard = 10}\npoker = {deals = 20}\n"
	for i, style := range []string{"", "purify = true", "threshold = 0.1", "solve = 5"} {
		text += fmt.Sprintf("[[player]]\nname = \"p%d\"\nkind = \"strategy\"\nstrategy = %q\n%s\n", i, file, style)
	}
	run, err := p.Plan(settings(t, text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.newSession(t.Context(), run, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := s.policies
	if all[0] == nil || all[1] != all[0] || all[2] != all[0] || all[3] == all[0] {
		t.Errorf("policies %p %p %p %p", all[0], all[1], all[2], all[3])
	}
	for i, x := range all {
		if _, err := s.player(new(arena.Shard), 0, i); x == nil || err != nil {
			t.Errorf("player %d: %v", i, err)
		}
	}
	s.close()
}
