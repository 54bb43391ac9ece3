package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// countBar tells how much of some countable work is done: as a bar on a terminal,
// elsewhere as a log line a minute. Work of less than a second has no bar.
type countBar struct {
	what  string
	total uint64
	log   *zerolog.Logger
	start time.Time
	next  time.Time // of the next update
	done  atomic.Uint64

	terminal io.Writer // nil off a terminal
	progress *mpb.Progress
	bar      *mpb.Bar
}

func newCountBar(w io.Writer, log *zerolog.Logger, what string, total uint64) *countBar {
	b := &countBar{what: what, total: total, log: log, start: time.Now()}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		b.terminal = w
		b.next = b.start.Add(time.Second)
	} else {
		b.next = b.start.Add(time.Minute)
	}
	return b
}

// update is told how much is done, by one goroutine.
func (b *countBar) update(done uint64) {
	b.done.Store(done)
	now := time.Now()
	if now.Before(b.next) {
		return
	}
	if b.terminal == nil {
		b.next = now.Add(time.Minute)
		b.log.Info().Str("done", b.text()).Msg(b.what)
		return
	}
	if b.bar == nil {
		b.progress = mpb.New(mpb.WithOutput(b.terminal), mpb.WithWidth(32))
		b.bar = b.progress.AddBar(int64(b.total),
			mpb.PrependDecorators(decor.Name(b.what)),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + b.text() })),
			mpb.BarRemoveOnComplete())
	}
	b.next = now.Add(time.Second / 10)
	b.bar.SetCurrent(int64(done))
}

func (b *countBar) text() string {
	done := b.done.Load()
	spent := time.Since(b.start)
	left := time.Duration(float64(spent) / float64(done) * float64(b.total-done))
	return fmt.Sprintf("%d of %d, %s left", done, b.total, left.Round(time.Second))
}

// close takes the bar off the terminal.
func (b *countBar) close() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.progress.Wait()
	}
}
