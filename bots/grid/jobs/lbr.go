package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"gamebots/acpc"
	"gamebots/bots/grid"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/internal/memory"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/evaluate/lbr"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
)

// LBRKind is the kind of jobs that play deals of a local best response, done by [LBRJob] or
// [LBRMatch.Job]. The shared part is an [LBRMatch], the spec the first deal and the one after
// the last, and the result the deals' outcomes, all as JSON.
const LBRKind = "lbr"

// LBRMatch is a match of a local best response against a strategy, as it is played, or a
// simple player in a game.
type LBRMatch struct {
	File     []byte               `json:"file,omitempty"` // content of the strategy file
	Style    poker.Style          `json:"style"`
	Solve    uint64               `json:"solve,omitempty"`      // iterations, see resolving.Options
	From     int                  `json:"solve_from,omitempty"` // the first round that is solved
	Plain    policy.Plain         `json:"plain,omitempty"`
	Name     string               `json:"name,omitempty"` // name of the game
	Game     string               `json:"game,omitempty"` // its definition
	Menu     string               `json:"menu"`
	CallOnly [acpc.MaxRounds]bool `json:"call_only"`
	Seed     uint64               `json:"seed"`
	First    int                  `json:"first,omitempty"` // the number of the seed's deals before the first one
	Device   *resolve.Device      `json:"-"`               // for flops and turns in this process, or nil
	// Player is instead of all these a player, for several goroutines of this process.
	Player belief.Player `json:"-"`
}

// lbrDeals is the number of deals of a job. Where rounds are solved in play, a deal takes seconds or
// minutes and is a job of its own, because an interruption loses the deals of unfinished jobs.
const lbrDeals = 16

// Job returns the function that plays the deals of the match. The policy is nil for a simple
// player.
func (m *LBRMatch) Job(p *policy.Policy) (grid.Func, error) {
	menu, err := lbr.ParseMenu(m.Menu)
	if err != nil {
		return nil, err
	}
	var g *acpc.Game
	newPlayer := func() (belief.Player, error) { return belief.NewPlain(m.Plain), nil }
	if m.Player != nil {
		newPlayer = func() (belief.Player, error) { return m.Player, nil }
	}
	if p == nil {
		g, err = acpc.ParseGame(m.Name, m.Game)
	} else {
		g = p.Tree.Game
		newPlayer, err = m.strategy(p, menu)
	}
	if err != nil {
		return nil, err
	}
	judge, err := lbr.New(g, lbr.Options{Menu: menu, CallOnly: m.CallOnly})
	if err != nil {
		return nil, err
	}
	var idle sync.Pool
	return func(ctx context.Context, job grid.Job) ([]byte, error) {
		var deals [2]int
		if err := json.Unmarshal(job.Spec, &deals); err != nil {
			return nil, err
		}
		player, ok := idle.Get().(belief.Player)
		if !ok {
			var err error
			if player, err = newPlayer(); err != nil {
				return nil, err
			}
		}
		defer idle.Put(player)
		var outcomes []lbr.Outcome
		for deal := deals[0]; deal < deals[1]; deal++ {
			o, err := judge.Deal(ctx, player, m.Seed, m.First+deal)
			if err != nil {
				return nil, err
			}
			outcomes = append(outcomes, o)
		}
		return mustMarshal(outcomes), nil
	}, nil
}

// strategy returns what makes players of a policy.
func (m *LBRMatch) strategy(p *policy.Policy, menu lbr.Menu) (newPlayer func() (belief.Player, error), err error) {
	o := resolving.Options{Options: resolve.Options{
		Iterations: m.Solve, From: m.From, Threads: 1, Device: m.Device,
	}}
	for _, pots := range menu.Many() {
		o.Bets = append(o.Bets, spot.Size{Kind: spot.PotSize, Value: pots})
	}
	if p, err = o.Prepare(p, memory.Available()); err != nil {
		return nil, err
	}
	return func() (belief.Player, error) { return resolving.NewHandStrategy(p, m.Style, o) }, nil
}

// LBRJob returns the function that does jobs of LBRKind. It keeps the strategies of the latest
// runs in memory.
func LBRJob() grid.Func {
	var matches grid.Memo[grid.Func]
	return func(ctx context.Context, job grid.Job) ([]byte, error) {
		play, err := matches.Get(job.Shared, func(shared []byte) (play grid.Func, err error) {
			var m LBRMatch
			if err := json.Unmarshal(shared, &m); err != nil {
				return nil, err
			}
			if m.Plain != "" {
				return m.Job(nil)
			}
			err = withPolicy(m.File, func(p *policy.Policy) error {
				free := memory.Available()
				err := memory.Enough("the strategy", 4*int64(p.Len()), free)
				if err == nil {
					err = p.Load(free) // the file is closed
				}
				if err == nil {
					play, err = m.Job(p)
				}
				return err
			})
			return play, err
		})
		if err != nil {
			return nil, err
		}
		return play(ctx, job)
	}
}

// PlayLBR plays the deals of a match on a grid. It returns the outcomes of the first deals:
// all, or after an error those before the first that is missing. They are the same on any
// grid. done, if not nil, is called with the number of deals that are played.
func PlayLBR(ctx context.Context, g grid.Grid, m *LBRMatch, deals int, done func(deals int)) ([]lbr.Outcome, error) {
	shared, name := mustMarshal(m), NewRun("lbr")
	perJob := lbrDeals
	if m.Solve > 0 {
		perJob = 1
	}
	byJob := make([][]lbr.Outcome, (deals+perJob-1)/perJob)
	from := func(shard int) [2]int { return [2]int{shard * perJob, min((shard+1)*perJob, deals)} }
	jobs := func(yield func(grid.Job) bool) {
		for shard := range byJob {
			if !yield(grid.Job{Run: name, Shard: shard, Total: len(byJob), Kind: LBRKind,
				Spec: mustMarshal(from(shard)), Shared: shared}) {
				return
			}
		}
	}
	played := 0
	err := g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
		var outcomes []lbr.Outcome
		if err := json.Unmarshal(result, &outcomes); err != nil {
			return fmt.Errorf("%v: %w", job, err)
		}
		list := from(job.Shard)
		if len(outcomes) != list[1]-list[0] {
			return fmt.Errorf("%v: %d outcomes of %d deals", job, len(outcomes), list[1]-list[0])
		}
		byJob[job.Shard] = outcomes
		if played += len(outcomes); done != nil {
			done(played)
		}
		return nil
	})
	var first []lbr.Outcome
	for _, outcomes := range byJob {
		if outcomes == nil {
			break
		}
		first = append(first, outcomes...)
	}
	return first, err
}
