package progress

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// Bar is a progress bar on a terminal; elsewhere its user logs a line a minute. Work of
// less than a second shows no bar. A Bar is used by one goroutine at a time.
type Bar struct {
	name  string
	Start time.Time
	next  time.Time // time of the next update
	every time.Duration

	terminal io.Writer // nil off a terminal
	progress *mpb.Progress
	bar      *mpb.Bar
	text     atomic.Pointer[string] // the bar draws itself in a goroutine of its own
}

// barParts is how finely a bar is filled.
const barParts = 1000

func New(w io.Writer, name string) *Bar {
	b := &Bar{name: name, Start: time.Now(), every: time.Minute}
	b.next = b.Start.Add(b.every)
	if IsTerminal(w) {
		b.terminal, b.every, b.next = w, time.Second/10, b.Start.Add(time.Second)
	}
	return b
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && cwriter.IsTerminal(int(f.Fd()))
}

// Due reports whether it is time for an update.
func (b *Bar) Due() bool {
	now := time.Now()
	if now.Before(b.next) {
		return false
	}
	b.next = now.Add(b.every)
	return true
}

// Show draws the part that is done, and a text. It reports whether there is a terminal.
func (b *Bar) Show(part float64, text string) bool {
	if b.terminal == nil {
		return false
	}
	b.text.Store(&text)
	if b.bar == nil {
		b.progress = mpb.New(mpb.WithOutput(b.terminal), mpb.WithWidth(32))
		b.bar = b.progress.AddBar(barParts,
			mpb.PrependDecorators(decor.Name(b.name)),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + *b.text.Load() })),
			mpb.BarRemoveOnComplete())
	}
	b.bar.SetCurrent(int64(barParts * part))
	return true
}

// Close removes the bar from the terminal.
func (b *Bar) Close() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.progress.Wait()
	}
}

// TimeLeft estimates the remaining time of work, from its start and the part that is
// done.
func TimeLeft(start time.Time, part float64) string {
	if part <= 0 {
		return "unknown time"
	}
	spent := time.Since(start)
	return (time.Duration(float64(spent)/part) - spent).Round(time.Second).String()
}

// Watch makes a bar on w and calls show whenever it is due, until stop is called, which removes the
// bar. It is for work that tells how far it is when asked.
func Watch(w io.Writer, what string, show func(*Bar)) (stop func()) {
	bar := New(w, what)
	end := every(time.Second/10, func() {
		if bar.Due() {
			show(bar)
		}
	})
	return func() {
		end()
		bar.Close()
	}
}

// every calls show at each interval, until stop is called, which waits for the last call.
func every(interval time.Duration, show func()) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				show()
			case <-end:
				return
			}
		}
	}()
	return func() { close(end); <-ended }
}
