package main

import (
	"fmt"
	"io"

	"github.com/rs/zerolog"
)

// countBar tells how much of some countable work is done.
type countBar struct {
	*progressBar
	total uint64
	log   *zerolog.Logger
}

func newCountBar(w io.Writer, log *zerolog.Logger, what string, total uint64) *countBar {
	return &countBar{newProgressBar(w, what), total, log}
}

// update is told how much is done, by one goroutine.
func (b *countBar) update(done uint64) {
	if !b.due() {
		return
	}
	part := float64(done) / float64(b.total)
	text := fmt.Sprintf("%d of %d, %s left", done, b.total, timeLeft(b.start, part))
	if !b.show(part, text) {
		b.log.Info().Str("done", text).Msg(b.name)
	}
}
