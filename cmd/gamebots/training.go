package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/train"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// train runs a training, from its checkpoint if there is one, and shows how far it is.
func (f *trainFlags) train(cmd *cobra.Command, t *train.Training, options train.SessionOptions) (*train.Session, train.Progress, error) {
	log := zerolog.Ctx(cmd.Context())
	bar, curve := &trainingBar{log: log}, curveFile{path: f.curve, game: t.Spec.Game}
	options.OnProgress = func(p train.Progress) {
		bar.update(p)
		if err := curve.update(bar.session.Meta().Curve); err != nil {
			log.Error().Err(err).Msg("no curve")
		}
	}
	options.OnCheckpoint = func(err error) {
		if err != nil {
			log.Error().Err(err).Msg("no checkpoint")
			return
		}
		log.Debug().Str("file", bar.session.CheckpointFile()).Uint64("iterations", bar.session.Iterations()).Msg("checkpoint")
	}
	session := train.NewSession(t, options)
	resumed := false
	if !f.fresh {
		var err error
		if resumed, err = session.Resume(); err != nil {
			return nil, train.Progress{}, usererr.WithHint(err, hintFresh)
		}
		if resumed {
			log.Info().Str("file", session.CheckpointFile()).Uint64("iterations", session.Iterations()).Str("spent", session.Spent().Round(time.Second).String()).Msg("resumed")
		}
	}
	if f.start != "" && !resumed {
		if err := t.Start(f.start, f.startIterations); err != nil {
			return nil, train.Progress{}, usageOf(err)
		}
	}
	stop := context.AfterFunc(cmd.Context(), func() {
		log.Warn().Msg("ending after this iteration; Ctrl-C again ends at once")
	})
	defer stop()
	bar.session, bar.bar = session, progress.New(cmd.ErrOrStderr(), t.Spec.Game.Name)
	p, err := session.Run(cmd.Context())
	bar.bar.Close()
	switch {
	case errors.Is(err, train.ErrTooShort):
		err = usererr.WithHint(fmt.Errorf("interrupted after %d iterations: %w", p.Iterations, err), "the same command continues")
	case err == nil && cmd.Context().Err() != nil:
		log.Warn().Uint64("iterations", p.Iterations).Msg("interrupted; the same command continues")
	}
	return session, p, err
}

// hintFresh is the advice for a file of another training.
const hintFresh = "--fresh begins again and replaces it; -o FILE writes to another file"

// hintFullDisk returns the advice for results that could not be saved.
func hintFullDisk(failed *train.SaveError) string {
	switch {
	case failed.Checkpoint != nil && failed.Resumable > 0:
		return fmt.Sprintf("make room there: the same command continues from the checkpoint of %d iterations", failed.Resumable)
	case failed.Checkpoint == nil:
		return "make room there: the same command writes the strategy"
	case failed.Strategy == nil:
		return "the strategy is saved, but without a checkpoint a longer training begins again"
	}
	return "make room there; nothing was saved, so the same command begins again"
}

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
		text += ", exploitability " + figures.Chips(p.Evaluation.Exploitability(), b.session.Spec.Game)
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
