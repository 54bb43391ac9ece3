package main

import (
	"context"
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

// searchBar tells how far a search is and how much it found: as a bar on a
// terminal, elsewhere as a log line a minute.
type searchBar struct {
	what     string
	every    time.Duration
	start    time.Time
	progress *mpb.Progress // nil off a terminal
	bar      *mpb.Bar
	text     atomic.Pointer[string] // the bar draws itself in a goroutine of its own
}

func newSearchBar(w io.Writer, what string) *searchBar {
	b := &searchBar{what: what, every: time.Minute, start: time.Now()}
	b.text.Store(new(string))
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		b.every = time.Second / 10
		b.progress = mpb.New(mpb.WithOutput(w), mpb.WithWidth(32))
		b.bar = b.progress.AddBar(barParts,
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return *b.text.Load() })),
			mpb.BarRemoveOnComplete())
	}
	return b
}

// update is called every so often.
func (b *searchBar) update(ctx context.Context, part float64, found int) {
	left := "unknown time"
	if part > 0 {
		left = time.Duration(float64(time.Since(b.start)) * (1/part - 1)).Round(time.Second).String()
	}
	if b.bar == nil {
		zerolog.Ctx(ctx).Info().Str("done", fmt.Sprintf("%.1f%%", 100*part)).Int(b.what, found).Str("left", left).Msg("searching")
		return
	}
	text := fmt.Sprintf(" %.1f%%, %d %s, %s left", 100*part, found, b.what, left)
	b.text.Store(&text)
	b.bar.SetCurrent(int64(barParts * part))
}

// close takes the bar off the terminal.
func (b *searchBar) close() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.progress.Wait()
	}
}
