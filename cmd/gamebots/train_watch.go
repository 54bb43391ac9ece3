package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/atomicfile"
	"gamebots/internal/memory"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// learningResponse is the phase in which a response to a strategy is learned.
const learningResponse = "learning a response"

// watchTraining shows how far a training is: as a bar on a terminal, and otherwise as a log line a
// minute. The training must have ended before end is called.
func watchTraining(cmd *cobra.Command, j *train.Job) (end func()) {
	log := zerolog.Ctx(cmd.Context())
	w := &trainingWatch{cmd: cmd, log: log, phase: cli.NewPhaseBar(cmd, preparingCards)}
	j.OnPrepare, j.OnBegin, j.OnProgress, j.OnEnd = w.phase.Update, w.begin, w.update, w.end
	j.OnCheckpoint = func(err error) {
		if err != nil {
			log.Error().Err(err).Msg("no checkpoint")
			return
		}
		log.Debug().Str("file", w.session.CheckpointFile()).Uint64("iterations", w.session.Iterations()).
			Msg("checkpoint")
	}
	j.OnCurve = func(err error) { log.Error().Err(err).Msg("no curve") }
	j.OnRespond = func(part float64) { w.phase.Update(part) }
	return func() { w.phase.Close() }
}

type trainingWatch struct {
	cmd     *cobra.Command
	log     *zerolog.Logger
	phase   *cli.PhaseBar // bar for the work before and after the iterations
	bar     *progress.Bar
	session *train.Session
}

// begin is called before the iterations.
func (w *trainingWatch) begin(s *train.Session, device string, resumed bool) {
	w.phase.Close()
	w.session, w.bar = s, progress.New(w.cmd.ErrOrStderr(), s.Spec.Name())
	w.log.Info().Str("game", s.Spec.Name()).Str("algorithm", s.Algorithm()).Str("cards", s.Cards).
		Str("device", device).
		Int("threads", s.Threads()).Int("information_sets", s.InfoSets).Str("tables", memory.Bytes(s.Bytes)).
		Msg("training")
	if resumed {
		w.log.Info().Str("file", s.CheckpointFile()).Uint64("iterations", s.Iterations()).
			Str("spent", s.Spent().Round(time.Second).String()).Msg("resumed")
	}
}

// update is called after every iteration, and mostly does nothing.
func (w *trainingWatch) update(p train.Progress) {
	if !w.bar.Due() {
		return
	}
	spent, done := w.session.Spent(), w.session.Done(p)
	rate := fmt.Sprintf("%.3g/s", float64(p.Iterations)/spent.Seconds())
	left := progress.TimeLeft(time.Now().Add(-spent), done)
	text := fmt.Sprintf("%s, %s, %s left", usererr.Iterations(p.Iterations), rate, left)
	exploitability := ""
	if p.Evaluated > 0 {
		unit, one, _ := w.session.Spec.Unit()
		exploitability = strings.TrimSpace(fmt.Sprintf("%.4g %s", one*p.Evaluation.Exploitability(), unit))
		text += ", exploitability " + exploitability
	}
	if w.bar.Show(done, text) {
		return
	}
	line := w.log.Info().Uint64("iterations", p.Iterations).Str("rate", rate).Str("left", left)
	if exploitability != "" {
		line = line.Str("exploitability", exploitability)
	}
	line.Msg("training")
}

// end is called after the iterations.
func (w *trainingWatch) end(p train.Progress, err error) {
	w.bar.Close()
	if err == nil && !w.session.CanEvaluate() {
		w.log.Info().Msg("saved")
	}
	w.phase = cli.NewPhaseBar(w.cmd, learningResponse)
}

// hintFresh is the advice for a file of another training.
const hintFresh = "--fresh begins again and replaces it; -o FILE writes to another file"

// trainingError adds to an error of a training what the flags can do about it.
func trainingError(err error) error {
	if e, ok := errors.AsType[*policy.SizeError](err); ok {
		return usererr.WithHint(err, fitHint(e))
	}
	if e, ok := errors.AsType[*train.Error](err); ok {
		return usererr.Usage(fmt.Errorf("--%s: %w", e.Field, err))
	}
	if errors.Is(err, tabular.ErrPayoffs) {
		return usererr.WithHint(err, "gamebots solve extensive computes in fractions")
	}
	if e, ok := errors.AsType[*train.SaveError](err); ok {
		return usererr.WithHint(err, hintFullDisk(e))
	}
	e, unwritable := errors.AsType[*checkpoint.OutputError](err)
	switch {
	case errors.As(err, new(*extensive.RecallError)):
		return hintRecall(err)
	case errors.As(err, new(*train.TargetError)):
		return usererr.WithHint(err, "the same command with more --iterations or --time continues")
	case errors.Is(err, train.ErrTooShort):
		return usererr.WithHint(err, "the same command continues, without --fresh")
	case errors.As(err, new(*checkpoint.ResumeError)):
		return usererr.WithHint(err, hintFresh)
	case !unwritable:
		return err
	case e.Err == atomicfile.ErrLocked:
		return usererr.WithHint(err, "wait for its end, or give another path with -o FILE")
	case e.Err == checkpoint.ErrOccupied:
		return usererr.WithHint(err, "-o FILE writes to another file")
	case e.Err == checkpoint.ErrNoCheckpoint:
		return usererr.WithHint(err, hintFresh)
	}
	return usererr.WithHint(err, "give another path with -o FILE")
}

// hintFullDisk returns the advice for results that could not be saved.
func hintFullDisk(failed *train.SaveError) string {
	switch {
	case failed.Checkpoint != nil && failed.Resumable > 0:
		return "make room there: the same command continues from the checkpoint of " +
			usererr.Iterations(failed.Resumable)
	case failed.Checkpoint == nil:
		return "make room there: the same command writes the strategy"
	case failed.Strategy == nil:
		return "the strategy is saved, but without a checkpoint a longer training begins again"
	}
	return "make room there; nothing was saved, so the same command begins again"
}
