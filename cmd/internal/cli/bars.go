package cli

import (
	"io"
	"sync"

	"gamebots/internal/parallel"
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

// PhaseBar is a bar for some work that may turn out short. When it is first updated it logs that the
// work begins, and from then on it shows how far it is.
type PhaseBar struct {
	bar   *progress.Part
	begin func()
}

// NewPhaseBar returns the bar of a phase of a command.
func NewPhaseBar(cmd *cobra.Command, what string) *PhaseBar {
	log := zerolog.Ctx(cmd.Context())
	begin := sync.OnceFunc(func() { log.Info().Msg(what) })
	return &PhaseBar{NewPartBar(cmd.ErrOrStderr(), log, what), begin}
}

// Update shows the part that is done.
func (b *PhaseBar) Update(part float64) {
	b.begin()
	b.bar.Update(part)
}

// Close ends the bar.
func (b *PhaseBar) Close() { b.bar.Close() }

// Phase is [parallel.Await] for work with a [PhaseBar].
func Phase[T any](cmd *cobra.Command, what string, work func(progress func(part float64)) (T, error)) (T, error) {
	bar := NewPhaseBar(cmd, what)
	defer bar.Close()
	return parallel.Await(cmd.Context(), func() (T, error) { return work(bar.Update) })
}
