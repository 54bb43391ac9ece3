package main

import (
	"fmt"
	"io"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/chart"
	"gamebots/internal/progress"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/selfplay"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// watchNet shows how far a training is: as a bar on a terminal, and otherwise as a log line a minute.
// It draws the plot anew after each match.
func watchNet(cmd *cobra.Command, j *selfplay.Job, plot string) {
	log := zerolog.Ctx(cmd.Context())
	bar := progress.New(cmd.ErrOrStderr(), "havannah")
	var session *selfplay.Session
	j.OnBegin = func(s *selfplay.Session, device string, resumed bool) {
		session = s
		if resumed {
			log.Info().Str("file", s.CheckpointFile()).Uint64("steps", s.Steps()).
				Str("spent", s.Spent().Round(time.Second).String()).Msg("resumed")
		}
		log.Info().Ints("sides", j.Sides).Str("network", j.Config.String()).Int("threads", j.Threads).
			Str("device", device).Msg("training")
	}
	j.OnStep = func(losses hexnet.Losses) {
		if bar.Due() {
			showNet(session, losses, bar, log)
		}
	}
	j.OnPoint = func(s *selfplay.Session) error {
		p := s.Curve[len(s.Curve)-1]
		line := log.Info().Uint64("steps", p.Steps).Uint64("games", p.Games).
			Str("policy_loss", fmt.Sprintf("%.3f", p.Losses.Policy)).
			Str("value_loss", fmt.Sprintf("%.3f", p.Losses.Value))
		for i, side := range s.Sides() {
			line = line.Str(fmt.Sprintf("elo_side%d", side), eloText(j.Match, p.Scores[i]))
		}
		line.Msg("match")
		return plotNet(plot, s.Sides(), s.Curve, j.Match)
	}
	j.OnCheckpoint = func(err error) {
		if err != nil {
			log.Error().Err(err).Msg("no checkpoint")
		}
	}
	j.OnEnd = bar.Close
}

// showNet shows how far a training is.
func showNet(s *selfplay.Session, losses hexnet.Losses, bar *progress.Bar, log *zerolog.Logger) {
	spent, done := s.Spent(), s.Done()
	rate := fmt.Sprintf("%.3g/s", float64(s.Games())/spent.Seconds())
	left := progress.TimeLeft(time.Now().Add(-spent), done)
	loss := fmt.Sprintf("%.3f", losses.Total())
	text := fmt.Sprintf("%d steps, %d games, %s, loss %s, %s left", s.Steps(), s.Games(), rate, loss, left)
	if !bar.Show(done, text) {
		log.Info().Uint64("steps", s.Steps()).Uint64("games", s.Games()).Str("rate", rate).Str("loss", loss).
			Str("left", left).Msg("training")
	}
}

// eloText returns the score and the difference of ratings for people.
func eloText(m selfplay.Match, score float64) string {
	elo, low, high := m.Elo(score)
	return fmt.Sprintf("%+.0f (%+.0f to %+.0f), %.1f%% of %d games", elo, low, high, 100*score, m.Games)
}

// plotNet draws the Elo of each side against the operations. It leaves out matches of which all
// games were won or lost, and points of versions that did not count operations. It draws
// nothing as long as no side has two points.
func plotNet(file string, sides []int, curve []selfplay.Point, m selfplay.Match) error {
	if file == "" {
		return nil
	}
	var lines []chart.Curve
	for i, side := range sides {
		line := chart.Curve{Name: fmt.Sprintf("side %d", side)}
		for _, p := range curve {
			if score := p.Scores[i]; score > 0 && score < 1 && p.Operations > 0 {
				elo, low, high := m.Elo(score)
				line.Add(p.Operations, elo, (high-low)/2)
			}
		}
		if len(line.Points) > 1 {
			lines = append(lines, line)
		}
	}
	if lines == nil {
		return nil
	}
	figure, err := chart.NewLines("Havannah", "operations of training (FLOP)", "Elo above mcts", lines...)
	if err != nil {
		return err
	}
	chart.LogX(figure)
	return chart.Draw(file, figure)
}

// printNet prints the result of a training.
func printNet(w io.Writer, r *selfplay.Result, m selfplay.Match, asJSON bool) error {
	if asJSON {
		return cli.Print(w, true, r)
	}
	fmt.Fprintf(w, "network of %s: %d steps, %d games in %.3g s (%.3g games a second), %.2e FLOP, %.0f%% of the time "+
		"for learning\n",
		r.Network, r.Steps, r.Games, r.Seconds, float64(r.Games)/r.Seconds, r.Operations, 100*r.LearningShare)
	if n := len(r.Curve); n > 0 {
		for i, score := range r.Curve[n-1].Scores {
			fmt.Fprintf(w, "side %-2d     Elo %s against %d simulations, after %d steps\n",
				r.Sides[i], eloText(m, score), m.Simulations, r.Curve[n-1].Steps)
		}
	}
	_, err := fmt.Fprintf(w, "written to  %s\n", r.File)
	return err
}
