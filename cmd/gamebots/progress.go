package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"gamebots/internal/progress"
	"gamebots/solvers/cfr"

	"github.com/rs/zerolog"
)

// trainingBar tells how far a training is.
type trainingBar struct {
	*session
	bar *progress.Bar
}

// newTrainingBar returns the bar of a session that has started.
func newTrainingBar(w io.Writer, s *session) *trainingBar {
	return &trainingBar{s, progress.New(w, s.game.Name)}
}

// update is called after every iteration, and mostly does nothing.
func (b *trainingBar) update(p cfr.Progress) {
	if !b.bar.Due() {
		return
	}
	done := b.done(p)
	left := progress.TimeLeft(b.start, done)
	text := fmt.Sprintf("%d iterations, %s, %s left", p.Iterations, b.rate(p), left)
	if p.Evaluated > 0 {
		text += ", exploitability " + chips(p.Evaluation.Exploitability(), b.game)
	}
	if b.bar.Show(done, text) {
		return
	}
	line := b.log.Info().Uint64("iterations", p.Iterations).Str("rate", b.rate(p)).Str("left", left)
	if p.Evaluated > 0 {
		line = line.Float64("exploitability", p.Evaluation.Exploitability())
	}
	line.Msg("training")
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

// rate returns the speed of the training, over all its runs.
func (b *trainingBar) rate(p cfr.Progress) string {
	return fmt.Sprintf("%.3g/s", float64(p.Iterations)/time.Since(b.start).Seconds())
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
