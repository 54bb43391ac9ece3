package main

import (
	"io"

	"gamebots/internal/progress"

	"github.com/rs/zerolog"
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
