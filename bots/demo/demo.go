package demo

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

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

// Result is what a demo found.
type Result struct {
	Folder    string     `json:"folder"`
	Trainings []Training `json:"trainings"`
	Matches   []Match    `json:"matches"`
	Pictures  []string   `json:"pictures"`
}

// Training is one training. Exploitability is in mb a hand.
type Training struct {
	Game           string  `json:"game"`
	InfoSets       int     `json:"information_sets"`
	Iterations     uint64  `json:"iterations"`
	Seconds        float64 `json:"seconds"`
	Exploitability float64 `json:"exploitability_mb"`
	File           string  `json:"file"`

	curve []point
}

// point is the exploitability of the average strategy after some iterations, in mb a hand.
type point struct {
	iterations     uint64
	exploitability float64
}

// Match is one duplicate match. Winnings are those of the bot, in mb a hand.
type Match struct {
	Game           string  `json:"game"`
	Bot            string  `json:"bot"`
	Opponent       string  `json:"opponent"`
	Hands          int     `json:"hands"`
	Won            float64 `json:"won_mb"`
	Interval       float64 `json:"interval95_mb"`
	HandsPerSecond float64 `json:"hands_per_second"`
	Log            string  `json:"log"`

	deals []float64 // mb a hand, won in each deal
}

// Demo is the settings of a demo.
type Demo struct {
	Folder  string    // gets strategies, logs and pictures
	Deals   uint32    // deals of each match, at least 2
	Program string    // the executable of gamebots, which plays acpc
	Story   io.Writer // what is done, for people
	Bars    io.Writer // progress
}

// demo is a demo in progress.
type demo struct {
	Demo
	Result
}

// iterations of CFR+ bring Kuhn and Leduc under a thousandth of an ante.
const iterations = 2000

// Run trains, plays and draws.
func (settings Demo) Run(ctx context.Context) (*Result, error) {
	d := demo{settings, Result{Folder: settings.Folder}}
	return &d.Result, d.run(ctx)
}

func (d *demo) run(ctx context.Context) error {
	if err := os.MkdirAll(d.Result.Folder, 0o755); err != nil {
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
	leduc, kuhn := d.Trainings[0], d.Trainings[1]
	equilibrium := d.bot("cfr+", "--strategy", leduc.File, "--seed", "1")
	if err := d.play(ctx, "leduc", equilibrium, d.plain("leduc")...); err != nil {
		return err
	}
	equilibrium = d.bot("cfr+", "--strategy", kuhn.File, "--seed", "1")
	if err := d.play(ctx, "kuhn", equilibrium, d.bot("itself", "--strategy", kuhn.File, "--seed", "2")); err != nil {
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
	for _, extension := range []string{".png", ".svg"} {
		file := filepath.Join(d.Result.Folder, "demo"+extension)
		if err := d.draw(file); err != nil {
			return err
		}
		d.Pictures = append(d.Pictures, file)
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
	t := Training{Game: name, InfoSets: layout.InfoSets(), File: filepath.Join(d.Result.Folder, name+".strategy")}
	trainer := cfr.NewTrainer(layout, algorithm.Vector(), runtime.NumCPU())
	mb := 1000 / float64(g.MaxBlind())
	e := publictree.NewEvaluator(layout, 1)
	evaluate := func() publictree.Evaluation { return e.Evaluate(trainer.Weights()) }
	bar := d.bar("training "+name, iterations)
	defer bar.Close()
	began := time.Now()
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
	t.Iterations, t.Seconds, t.Exploitability = p.Iterations, time.Since(began).Seconds(), mb*exploitability
	d.Trainings = append(d.Trainings, t)
	return trainer.Save(t.File, strategy.Meta{Exploitability: &exploitability})
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
		match, err := d.playOne(ctx, g, bot, opponent)
		if err != nil {
			return err
		}
		d.Matches = append(d.Matches, match)
		d.tellMatch(match)
	}
	return nil
}

func (d *demo) playOne(ctx context.Context, g *acpc.Game, a, b arena.Bot) (m Match, err error) {
	m = Match{Game: g.Name, Bot: a.Name, Opponent: b.Name}
	m.Log = filepath.Join(d.Result.Folder, fmt.Sprintf("%s-%s.log", m.Game, m.Opponent))
	log, err := os.Create(m.Log)
	if err != nil {
		return m, err
	}
	defer func() {
		if e := log.Close(); err == nil {
			err = e
		}
	}()
	bar := d.bar(fmt.Sprintf("%s: %s against %s", m.Game, m.Bot, m.Opponent), 2*uint64(d.Deals))
	defer bar.Close()
	played := uint64(0)
	match := arena.DuplicateMatch{Game: g, Hands: d.Deals, Seed: 1, A: a, B: b}
	match.Log = arena.ResultLog(g, log, func(*acpc.State, []float64) {
		played++
		bar.Update(played)
	})
	o, err := match.Play(ctx)
	switch {
	case ctx.Err() != nil:
		return m, context.Cause(ctx)
	case err != nil:
		return m, err
	}
	mb := 1000 / float64(g.MaxBlind())
	m.Hands, m.Won, m.Interval = 2*o.A.N, mb*o.A.Mean(), mb*o.A.Interval95()
	m.HandsPerSecond = math.Round(float64(m.Hands) / o.Time.Seconds())
	for _, x := range o.Deals {
		m.deals = append(m.deals, mb*x)
	}
	return m, nil
}
