package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"gamebots/acpc"
	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/progress"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/strategy"
)

// training is one training.
type training struct {
	game     string
	infoSets int
	file     string
	curve    []point
}

// point is the exploitability of the average strategy after some iterations, in mb a hand.
type point struct {
	iterations     uint64
	exploitability float64
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
	layout, err := publictree.Prepare(g, betting.Actions{}, abstraction.Lossless, memory.Available())
	if err != nil {
		return err
	}
	algorithm, err := train.ParseAlgorithm("cfr+")
	if err != nil {
		return err
	}
	t := training{game: name, infoSets: layout.InfoSets(), file: filepath.Join(d.Folder, name+".strategy")}
	trainer := cfr.NewTrainer(layout, algorithm.Vector(), runtime.NumCPU())
	mb := 1000 / float64(g.MaxBlind())
	e := publictree.NewEvaluator(layout, 1)
	evaluate := func() publictree.Evaluation { return e.Evaluate(trainer.Weights()) }
	bar := d.bar("training "+name, iterations)
	defer bar.Close()
	p := train.Iterate(trainer, evaluate, train.Goal{Iterations: iterations}, func(p train.Progress) bool {
		bar.Update(p.Iterations)
		if p.Evaluated == p.Iterations {
			t.curve = append(t.curve, point{p.Iterations, mb * p.Evaluation.Exploitability()})
		}
		return ctx.Err() == nil
	})
	if err := context.Cause(ctx); err != nil {
		return err
	}
	exploitability := p.Evaluation.Exploitability()
	if p.Iterations > t.curve[len(t.curve)-1].iterations {
		t.curve = append(t.curve, point{p.Iterations, mb * exploitability})
	}
	d.trainings = append(d.trainings, t)
	return trainer.Save(t.file, strategy.Meta{Exploitability: &exploitability})
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
		d.tellMatch(m)
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
