package tournament

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gamebots/acpc"
	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"

	"github.com/zeebo/xxh3"
)

// policy opens or trains the strategy of a player; nil if it has none. A strategy file
// is read from where the plan names it, or else from the files that came with the
// plan.
func (p *Players) policy(ctx context.Context, s *session, player int, files map[uint64][]byte) (*policy.Policy, error) {
	switch e := s.plan.Players[player]; e.Kind {
	case kindStrategy:
		sum, err := fingerprint(e.Strategy)
		if err == nil && sum != s.plan.Prints[player] {
			err = fmt.Errorf("%s is not the file that the run was begun with", e.Strategy)
		}
		if err == nil {
			return openPolicy(s.game, e.Strategy, &e)
		}
		shipped, ok := files[s.plan.Prints[player]]
		if !ok {
			return nil, err
		}
		return openTemp(s.game, &e, func(file string) error { return os.WriteFile(file, shipped, 0o600) })
	case kindTrained:
		spec, err := trainingOf(s.game, &e)
		if err != nil {
			return nil, err
		}
		return openTemp(s.game, &e, func(file string) error { return p.Train(ctx, e.Name, spec, e.Iterations, file) })
	}
	return nil, nil
}

// openTemp opens a player's strategy that write writes to a temporary file.
func openTemp(g *acpc.Game, e *configs.Entry, write func(file string) error) (*policy.Policy, error) {
	folder, err := os.MkdirTemp("", "gamebots-arena-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) // most systems let an open file be removed
	file := filepath.Join(folder, "temp.strategy")
	if err := write(file); err != nil {
		return nil, err
	}
	return openPolicy(g, file, e)
}

// openPolicy opens a player's strategy of a game, in memory if it fits.
func openPolicy(g *acpc.Game, file string, e *configs.Entry) (*policy.Policy, error) {
	trained, err := policy.OpenPart(file, memory.Available(), nil)
	if err != nil {
		return nil, err
	}
	solving := solvingOf(e)
	prepared, err := trained.For(g)
	if err == nil {
		prepared, err = solving.Prepare(prepared, memory.Available())
	}
	if err == nil {
		err = prepared.Load(memory.Available() / 2)
	}
	if err != nil {
		return nil, errors.Join(err, trained.Close())
	}
	return prepared, nil
}

// trainingOf returns the training of a player of kind "trained". Errors in its settings are of type
// [*train.Error].
func trainingOf(g *acpc.Game, e *configs.Entry) (train.Spec, error) {
	return train.Description{
		Algorithm: e.Algorithm, Cards: e.Cards, Actions: e.Actions,
		OpponentCards: e.OpponentCards, OpponentActions: e.OpponentActions, Seed: e.Seed,
	}.Spec(g)
}

// styleOf returns how a player plays its strategy.
func styleOf(e *configs.Entry) poker.Style {
	return poker.Style{Purify: e.Purify, Threshold: e.Threshold}
}

// solvingOf returns the rounds that a player solves in play.
func solvingOf(e *configs.Entry) resolving.Options {
	return resolving.Options{Options: resolve.Options{
		Iterations: e.Solve, From: resolving.RoundNamed(e.SolveFrom), Threads: int(e.Threads),
	}}
}

// fingerprint returns the checksum of a file.
func fingerprint(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum := xxh3.New()
	_, err = io.Copy(sum, f)
	return sum.Sum64(), err
}

// networkFingerprint returns that of a shipped network or of a network's file.
func networkFingerprint(net string) (uint64, error) {
	if content, shipped := configs.Network(net); shipped {
		return xxh3.Hash(content), nil
	}
	return fingerprint(net)
}

// Strategies returns the strategies of a poker run as they were played, by player,
// for estimates: nil for a player without one. A strategy that cannot be used for
// estimates is nil too, and passed to onError. The caller calls done after the last estimate.
func (p *Players) Strategies(
	ctx context.Context, run *arena.Plan, onError func(player string, err error),
) (strategies []*aivat.Strategy, done func(), err error) {
	s, err := p.newSession(ctx, run, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("run %s: %w", run.Name, err)
	}
	strategies = make([]*aivat.Strategy, len(run.Players))
	for i, e := range run.Players {
		if s.policies == nil || s.policies[i] == nil {
			continue
		}
		known, err := resolving.ForAIVAT(s.policies[i], styleOf(&e), solvingOf(&e))
		if err != nil {
			onError(e.Name, err)
		}
		strategies[i] = known
	}
	return strategies, s.close, nil
}
