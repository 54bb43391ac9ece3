package cli

import (
	"context"
	"io"
	"sync"

	"gamebots/internal/progress"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// NewPartBar returns a bar for some work that logs off a terminal.
func NewPartBar(w io.Writer, log *zerolog.Logger, what string) *progress.Part {
	return progress.NewPart(w, what, logDone(log, what))
}

// NewCountBar returns a bar for total pieces of work that logs off a terminal.
func NewCountBar(w io.Writer, log *zerolog.Logger, what string, total uint64) *progress.Count {
	return progress.NewCount(w, what, logDone(log, what), total)
}

func logDone(log *zerolog.Logger, what string) func(done string) {
	return func(done string) { log.Info().Str("done", done).Msg(what) }
}

// Interruptible returns what work returns, or the cause of the end of ctx as soon as it
// ends. Work that is given up goes on until the program exits, so it must be work of which
// nothing is kept, or kept in one step.
func Interruptible[T any](ctx context.Context, work func() (T, error)) (T, error) {
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

// Phase is [Interruptible] for work that tells which part of it is done. When
// progress is first called it logs that the work begins; from then on it shows a bar.
func Phase[T any](cmd *cobra.Command, what string, work func(progress func(part float64)) (T, error)) (T, error) {
	log := zerolog.Ctx(cmd.Context())
	bar := NewPartBar(cmd.ErrOrStderr(), log, what)
	defer bar.Close()
	var begun sync.Once
	return Interruptible(cmd.Context(), func() (T, error) {
		return work(func(part float64) {
			begun.Do(func() { log.Info().Msg(what) })
			bar.Update(part)
		})
	})
}
