package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"gamebots/internal/atomicfile"
	"gamebots/internal/chart"
	"gamebots/internal/progress"
	"gamebots/internal/stats"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/selfplay"

	"github.com/rs/zerolog"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// notePoint plays matches on all sides, and adds a point to the curve.
func notePoint(session *selfplay.Session, m selfplay.Match, curve netCurve, log *zerolog.Logger) error {
	p := session.Point()
	net, err := session.Net()
	if err != nil {
		return err
	}
	line := log.Info().Uint64("steps", p.Steps).Uint64("games", p.Games).Str("policy_loss", fmt.Sprintf("%.3f", p.Losses.Policy)).
		Str("value_loss", fmt.Sprintf("%.3f", p.Losses.Value))
	for _, m.Side = range session.Sides() {
		points, err := m.Play(net)
		if err != nil {
			return err
		}
		p.Scores = append(p.Scores, points/float64(m.Games))
		line = line.Str(fmt.Sprintf("elo_side%d", m.Side), eloText(p.Scores[len(p.Scores)-1], m.Games))
	}
	session.Curve = append(session.Curve, p)
	line.Msg("match")
	return curve.write(session.Curve)
}

// eloInterval returns the bounds of the difference in Elo with 95% confidence.
func eloInterval(score float64, games int) (low, high float64) {
	low, high = stats.Score95(score, games)
	return stats.Elo(low), stats.Elo(high)
}

// eloText returns the score and the difference of ratings for people.
func eloText(score float64, games int) string {
	low, high := eloInterval(score, games)
	return fmt.Sprintf("%+.0f (%+.0f to %+.0f), %.1f%% of %d games", stats.Elo(score), low, high, 100*score, games)
}

// netTrainingBar shows the progress of a training: as a bar on a terminal, and otherwise
// as a log line a minute.
type netTrainingBar struct {
	session *selfplay.Session
	log     *zerolog.Logger
	bar     *progress.Bar
}

// update is called after every step, and mostly does nothing.
func (b *netTrainingBar) update(losses hexnet.Losses) {
	if !b.bar.Due() {
		return
	}
	spent, done := b.session.Spent(), b.session.Done()
	steps, games := b.session.Steps(), b.session.Games()
	rate, left := fmt.Sprintf("%.3g/s", float64(games)/spent.Seconds()), progress.TimeLeft(time.Now().Add(-spent), done)
	if b.bar.Show(done, fmt.Sprintf("%d steps, %d games, %s, loss %.3f, %s left", steps, games, rate, losses.Total(), left)) {
		return
	}
	b.log.Info().Uint64("steps", steps).Uint64("games", games).Str("rate", rate).Str("loss", fmt.Sprintf("%.3f", losses.Total())).Str("left", left).Msg("training")
}

// netCurve is where the points of a training are written.
type netCurve struct {
	table, plot string // files; "" for none
	sides       []int
	games       int // of a match
}

// write writes the points so far.
func (c netCurve) write(curve []selfplay.Point) error {
	return errors.Join(c.writeTable(curve), c.draw(curve))
}

// writeTable writes a line for each point.
func (c netCurve) writeTable(curve []selfplay.Point) error {
	if c.table == "" {
		return nil
	}
	var text bytes.Buffer
	text.WriteString("steps,games,seconds,flop,policy_loss,value_loss,reply_loss,structure_loss,kinds_loss")
	for _, side := range c.sides {
		fmt.Fprintf(&text, ",score_side%d,elo_side%d,low_side%d,high_side%d", side, side, side, side)
	}
	text.WriteByte('\n')
	for _, p := range curve {
		l := p.Losses
		fmt.Fprintf(&text, "%d,%d,%.4g,%.4g,%.4f,%.4f,%.4f,%.4f,%.4f", p.Steps, p.Games, p.Seconds, p.Operations, l.Policy, l.Value, l.Reply, l.Structure, l.Kinds)
		for _, score := range p.Scores {
			low, high := eloInterval(score, c.games)
			fmt.Fprintf(&text, ",%.4f,%.0f,%.0f,%.0f", score, stats.Elo(score), low, high)
		}
		text.WriteByte('\n')
	}
	return atomicfile.Write(c.table, text.Bytes())
}

// draw draws the Elo of each side against the operations. It leaves out matches of which all
// games were won or lost, and points of versions that did not count operations. It draws
// nothing as long as no side has two points.
func (c netCurve) draw(curve []selfplay.Point) error {
	if c.plot == "" {
		return nil
	}
	var lines []chart.Curve
	for i, side := range c.sides {
		line := chart.Curve{Name: fmt.Sprintf("side %d", side)}
		for _, p := range curve {
			if score := p.Scores[i]; score > 0 && score < 1 && p.Operations > 0 {
				low, high := eloInterval(score, c.games)
				line.Points = append(line.Points, plotter.XY{X: p.Operations, Y: stats.Elo(score)})
				line.Halves = append(line.Halves, (high-low)/2)
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
	figure.X.Scale, figure.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	return chart.Draw(c.plot, figure)
}

// print prints the result of the training.
func (f *trainHavannahFlags) print(w io.Writer, s *selfplay.Session) error {
	seconds := s.Spent().Seconds()
	if f.json {
		return json.NewEncoder(w).Encode(struct {
			Sides   []int   `json:"sides"`
			Network string  `json:"network"`
			Steps   uint64  `json:"steps"`
			Games   uint64  `json:"games"`
			Seconds float64 `json:"seconds"`
			FLOP    float64 `json:"flop"`
			// Learning is the share of learning in the time of this run.
			Learning float64 `json:"learning_share"`
			File     string  `json:"file"`
		}{s.Sides(), f.size, s.Steps(), s.Games(), seconds, s.Operations(), s.LearningShare(), f.output})
	}
	fmt.Fprintf(w, "network of %s: %d steps, %d games in %.3g s (%.3g games a second), %.2e FLOP, %.0f%% of the time for learning\n",
		f.size, s.Steps(), s.Games(), seconds, float64(s.Games())/seconds, s.Operations(), 100*s.LearningShare())
	if n := len(s.Curve); n > 0 {
		for i, score := range s.Curve[n-1].Scores {
			fmt.Fprintf(w, "side %-2d     Elo %s against %d simulations, after %d steps\n", s.Sides()[i], eloText(score, f.matchGames), f.opponent, s.Curve[n-1].Steps)
		}
	}
	_, err := fmt.Fprintf(w, "written to  %s\n", f.output)
	return err
}
