package main

import (
	"fmt"
	"time"

	"gamebots/internal/progress"
	"gamebots/solvers/cfr/train"

	"github.com/rs/zerolog"
)

// trainingBar shows the progress of a training: as a bar on a terminal, and otherwise
// as a log line a minute.
type trainingBar struct {
	session *train.Session
	log     *zerolog.Logger
	bar     *progress.Bar
}

// update is called after every iteration, and mostly does nothing.
func (b *trainingBar) update(p train.Progress) {
	if !b.bar.Due() {
		return
	}
	spent, done := b.session.Spent(), b.session.Done(p)
	rate := fmt.Sprintf("%.3g/s", float64(p.Iterations)/spent.Seconds())
	left := progress.TimeLeft(time.Now().Add(-spent), done)
	text := fmt.Sprintf("%d iterations, %s, %s left", p.Iterations, rate, left)
	if p.Evaluated > 0 {
		text += ", exploitability " + chips(p.Evaluation.Exploitability(), b.session.Spec.Game)
	}
	if b.bar.Show(done, text) {
		return
	}
	line := b.log.Info().Uint64("iterations", p.Iterations).Str("rate", rate).Str("left", left)
	if p.Evaluated > 0 {
		line = line.Float64("exploitability", p.Evaluation.Exploitability())
	}
	line.Msg("training")
}
