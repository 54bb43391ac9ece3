package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"gamebots/acpc"
	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/progress"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"

	"gonum.org/v1/plot/plotter"
)

// training is one training.
type training struct {
	game     string
	infoSets int
	file     string
	curve    plotter.XYs // exploitability of the average strategy after numbers of iterations, in mb a hand
}

// match is one duplicate match. Winnings are those of the bot, in mb a hand.
type match struct {
	game, bot, opponent string
	won, interval       float64
	deals               []float64 // won in each deal
}

// Demo is the settings of a demo.
type Demo struct {
	Folder  string    // gets strategies, logs and a picture
	Deals   uint32    // deals of each match, at least 2
	Program string    // the executable of gamebots, which plays acpc
	Story   io.Writer // what is done, for people
	Bars    io.Writer // progress
}

// demo is a demo in progress.
type demo struct {
	Demo
	trainings []training
	matches   []match
}

// iterations of CFR+ bring Kuhn and Leduc under a thousandth of an ante.
const iterations = 2000

// Run trains, plays and draws. It returns the files of a strategy and of the picture.
func (settings Demo) Run(ctx context.Context) (strategy, picture string, err error) {
	d := demo{Demo: settings}
	if err := d.run(ctx); err != nil {
		return "", "", err
	}
	picture = filepath.Join(d.Folder, "demo.png")
	return d.trainings[0].file, picture, d.draw(picture)
}

func (d *demo) run(ctx context.Context) error {
	if err := os.MkdirAll(d.Folder, 0o755); err != nil {
		return err
	}
	d.tellPlan()
	for _, name := range []string{"leduc", "kuhn"} {
		if err := d.train(ctx, name); err != nil {
			return err
		}
	}
	d.tellTrainings()
	d.tellMatches()
	leduc, kuhn := d.trainings[0], d.trainings[1]
	equilibrium := d.bot("cfr+", "--strategy", leduc.file, "--seed", "1")
	if err := d.play(ctx, "leduc", equilibrium, d.plain("leduc")...); err != nil {
		return err
	}
	equilibrium = d.bot("cfr+", "--strategy", kuhn.file, "--seed", "1")
	if err := d.play(ctx, "kuhn", equilibrium, d.bot("itself", "--strategy", kuhn.file, "--seed", "2")); err != nil {
		return err
	}
	for _, name := range configs.Strategies() {
		g, err := configs.Game(name)
		if err != nil {
			return err
		}
		if g.NumPlayers > 2 {
			continue
		}
		if err := d.play(ctx, name, d.bot("shipped", "--game", name, "--seed", "1"), d.plain(name)...); err != nil {
			return err
		}
	}
	return nil
}

// train trains a game and saves its strategy.
func (d *demo) train(ctx context.Context, name string) error {
	g, err := configs.Game(name)
	if err != nil {
		return err
	}
	spec, err := train.Description{Algorithm: "cfr+", Cards: abstraction.Lossless.String()}.Spec(g)
	if err != nil {
		return err
	}
	j := train.Job{Spec: spec, Options: train.Options{Threads: runtime.NumCPU()}, Fresh: true}
	j.File, j.Goal.Iterations = filepath.Join(d.Folder, name+".strategy"), iterations
	bar := d.bar("training "+name, iterations)
	defer bar.Close()
	j.OnProgress = func(p train.Progress) { bar.Update(p.Iterations) }
	trained, err := train.Run(ctx, j)
	if err := cmp.Or(context.Cause(ctx), err, os.Remove(j.File+checkpoint.Suffix)); err != nil {
		return err
	}
	t := training{game: name, infoSets: trained.InfoSets, file: j.File}
	for _, p := range trained.Curve {
		mb := 1000 / float64(g.MaxBlind()) * p.Exploitability
		t.curve = append(t.curve, plotter.XY{X: float64(p.Iterations), Y: mb})
	}
	d.trainings = append(d.trainings, t)
	return nil
}

// bar returns the progress of some work, which is told line by line off a terminal.
func (d *demo) bar(what string, total uint64) *progress.Count {
	return progress.NewCount(d.Bars, what, func(done string) { fmt.Fprintf(d.Bars, "%s: %s\n", what, done) }, total)
}

// bot returns a process of this program that plays with some flags.
func (d *demo) bot(name string, flags ...string) arena.Bot {
	return arena.Bot{Name: name, Command: append([]string{d.Program, "--log-level", "warn", "play", "acpc"}, flags...)}
}

// plain returns the plain opponents in a game.
func (d *demo) plain(game string) (bots []arena.Bot) {
	for _, kind := range poker.Opponents() {
		bots = append(bots, d.bot(kind, "--bot", kind, "--game", game, "--seed", "3"))
	}
	return bots
}

// play plays a match of a bot against each opponent.
func (d *demo) play(ctx context.Context, game string, bot arena.Bot, opponents ...arena.Bot) error {
	g, err := configs.Game(game)
	if err != nil {
		return err
	}
	for _, opponent := range opponents {
		m, err := d.playOne(ctx, g, bot, opponent)
		if err != nil {
			return err
		}
		d.matches = append(d.matches, m)
		won := money.Signed(m.won, 0) + " " + money.PlusMinus(m.interval, 0)
		fmt.Fprintf(d.Story, row, m.game, m.bot, m.opponent, won)
	}
	return nil
}

func (d *demo) playOne(ctx context.Context, g *acpc.Game, a, b arena.Bot) (m match, err error) {
	m = match{game: g.Name, bot: a.Name, opponent: b.Name}
	log, err := os.Create(filepath.Join(d.Folder, fmt.Sprintf("%s-%s.log", m.game, m.opponent)))
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	bar := d.bar(fmt.Sprintf("%s: %s against %s", m.game, m.bot, m.opponent), 2*uint64(d.Deals))
	defer bar.Close()
	played := uint64(0)
	duplicate := arena.DuplicateMatch{Game: g, Hands: d.Deals, Seed: 1, A: a, B: b}
	duplicate.Log = arena.ResultLog(g, log, func(*acpc.State, []float64) {
		played++
		bar.Update(played)
	})
	o, err := duplicate.Play(ctx)
	switch {
	case ctx.Err() != nil:
		return m, context.Cause(ctx)
	case err != nil:
		return m, err
	}
	mb := 1000 / float64(g.MaxBlind())
	m.won, m.interval = mb*o.A.Mean(), mb*o.A.Interval95()
	for _, x := range o.Deals {
		m.deals = append(m.deals, mb*x)
	}
	return m, nil
}
