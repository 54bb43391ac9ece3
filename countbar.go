package main

import (
	"fmt"
	"io"

	"github.com/rs/zerolog"
)

// countBar tells how much of some countable work is done.
type countBar struct {
	*partBar
	total uint64
}

func newCountBar(w io.Writer, log *zerolog.Logger, what string, total uint64) *countBar {
	return &countBar{newPartBar(w, log, what), total}
}

// update is told how much is done.
func (b *countBar) update(done uint64) {
	part := float64(done) / float64(b.total)
	b.tell(part, func() string { return fmt.Sprintf("%d of %d, %s left", done, b.total, timeLeft(b.bar.start, part)) })
}
