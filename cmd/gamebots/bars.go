package main

import (
	"context"
	"errors"
	"io"
	"sync"

	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// newPartBar returns a bar for some work that logs off a terminal.
func newPartBar(w io.Writer, log *zerolog.Logger, what string) *progress.Part {
	return progress.NewPart(w, what, logDone(log, what))
}

// newCountBar returns a bar for total pieces of work that logs off a terminal.
func newCountBar(w io.Writer, log *zerolog.Logger, what string, total uint64) *progress.Count {
	return progress.NewCount(w, what, logDone(log, what), total)
}

func logDone(log *zerolog.Logger, what string) func(done string) {
	return func(done string) { log.Info().Str("done", done).Msg(what) }
}

// interruptible returns what work returns, or the cause of the end of ctx as soon as it
// ends. Work that is given up goes on until the program exits, so it must be work of which
// nothing is kept, or kept in one step.
func interruptible[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// interruptiblePhase is interruptible for work that tells which part of it is done. When
// progress is first called it logs that the work begins; from then on it shows a bar.
func interruptiblePhase[T any](cmd *cobra.Command, what string, work func(progress func(part float64)) (T, error)) (T, error) {
	log := zerolog.Ctx(cmd.Context())
	bar := newPartBar(cmd.ErrOrStderr(), log, what)
	defer bar.Close()
	var begun sync.Once
	return interruptible(cmd.Context(), func() (T, error) {
		return work(func(part float64) {
			begun.Do(func() { log.Info().Msg(what) })
			bar.Update(part)
		})
	})
}

// preparingCards is the phase in which the cards of an abstraction are prepared.
const preparingCards = "preparing cards"

// openPolicy opens a strategy file, see [policy.Open].
func openPolicy(cmd *cobra.Command, file string, memory int64) (*policy.Policy, error) {
	p, err := interruptiblePhase(cmd, preparingCards, func(progress func(part float64)) (*policy.Policy, error) {
		return policy.Open(file, memory, progress)
	})
	if errors.As(err, new(*policy.CutError)) {
		err = usererr.WithHint(err, "it is for a bot that solves the other rounds in play, as play acpc --solve 300 --solve-from turn does in no-limit hold'em; gamebots show shows the rounds that it has")
	}
	return p, err
}

// openPart is openPolicy for strategies that may lack the last rounds, see [policy.OpenPart].
func openPart(cmd *cobra.Command, file string, memory int64) (*policy.Policy, error) {
	return interruptiblePhase(cmd, preparingCards, func(progress func(part float64)) (*policy.Policy, error) {
		return policy.OpenPart(file, memory, progress)
	})
}

// fill computes the buckets of all hands, see [policy.Policy.FillBuckets].
func fill(cmd *cobra.Command, p *policy.Policy, threads int) error {
	_, err := interruptiblePhase(cmd, preparingCards, func(progress func(part float64)) (any, error) {
		return nil, p.FillBuckets(cmd.Context(), threads, progress)
	})
	return err
}
