package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"
	"time"

	"gamebots/solvers/cfr"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// trainingBar tells how far a training is: as a bar on a terminal, elsewhere as
// a log line a minute.
type trainingBar struct {
	*session
	next  time.Time // of the next update
	every time.Duration

	progress *mpb.Progress // nil off a terminal
	bar      *mpb.Bar
	latest   atomic.Pointer[cfr.Progress] // the bar draws itself in a goroutine of its own
}

// barParts is how finely a bar is filled.
const barParts = 1000

// newTrainingBar returns the bar of a session that has started.
func newTrainingBar(w io.Writer, s *session) *trainingBar {
	b := &trainingBar{session: s, every: time.Minute}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		b.every = time.Second / 10
		b.latest.Store(&cfr.Progress{})
		b.progress = mpb.New(mpb.WithOutput(w), mpb.WithWidth(32))
		b.bar = b.progress.AddBar(barParts,
			mpb.PrependDecorators(decor.Name(s.game.Name)),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return b.text() })),
			mpb.BarRemoveOnComplete())
	}
	b.next = time.Now().Add(b.every)
	return b
}

// update is called after every iteration, and mostly does nothing.
func (b *trainingBar) update(p cfr.Progress, now time.Time) {
	if now.Before(b.next) {
		return
	}
	b.next = now.Add(b.every)
	if b.bar == nil {
		line := b.log.Info().Uint64("iterations", p.Iterations).Str("rate", b.rate(p)).Str("left", b.left(b.done(p)))
		if p.Evaluated > 0 {
			line = line.Float64("exploitability", p.Evaluation.Exploitability())
		}
		line.Msg("training")
		return
	}
	b.latest.Store(&p)
	b.bar.SetCurrent(int64(barParts * b.done(p)))
}

// close takes the bar off the terminal.
func (b *trainingBar) close() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.progress.Wait()
	}
}

// done returns the part of the training that is over: by the goal that is
// nearest. A target counts by orders of magnitude, from the largest blind down.
func (b *trainingBar) done(p cfr.Progress) float64 {
	done := 0.0
	if b.goal.Iterations > 0 {
		done = float64(p.Iterations) / float64(b.goal.Iterations)
	}
	if b.limit > 0 {
		done = max(done, time.Since(b.start).Seconds()/b.limit.Seconds())
	}
	if x := p.Evaluation.Exploitability(); b.goal.Exploitability > 0 && x < float64(b.game.MaxBlind()) {
		blind := float64(b.game.MaxBlind())
		done = max(done, math.Log(x/blind)/math.Log(b.goal.Exploitability/blind))
	}
	return min(done, 1)
}

func (b *trainingBar) text() string {
	p := *b.latest.Load()
	text := fmt.Sprintf(" %d iterations, %s, %s left", p.Iterations, b.rate(p), b.left(b.done(p)))
	if p.Evaluated > 0 {
		text += ", exploitability " + chips(p.Evaluation.Exploitability(), b.game)
	}
	return text
}

// rate returns the speed of the training, over all its runs.
func (b *trainingBar) rate(p cfr.Progress) string {
	return fmt.Sprintf("%.3g/s", float64(p.Iterations)/time.Since(b.start).Seconds())
}

// left estimates the time that is left.
func (b *trainingBar) left(done float64) string {
	if done <= 0 {
		return "unknown time"
	}
	spent := time.Since(b.start)
	return (time.Duration(float64(spent)/done) - spent).Round(time.Second).String()
}

// preparing returns what tells that cards are being prepared: a log line at the
// start, and one every ten seconds.
func preparing(log *zerolog.Logger) func(part float64) {
	var next time.Time
	return func(part float64) {
		if now := time.Now(); !now.Before(next) {
			next = now.Add(10 * time.Second)
			log.Info().Str("done", fmt.Sprintf("%.0f%%", 100*part)).Msg("preparing cards")
		}
	}
}
