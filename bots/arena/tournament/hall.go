package tournament

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/arena"
	"gamebots/bots/arena/plan"
	"gamebots/bots/poker"
	"gamebots/hexproto/game"
	"gamebots/solvers/cfr"
)

// hall is a run that is played: its plan with all that is open for it. It is used
// by any number of goroutines.
type hall struct {
	plan  *plan.Plan
	users int // guarded by the house

	// Of poker.
	game     *acpc.Game
	policies []*cfr.Policy // by player, nil for others
	doors    []*arena.Door // by player, nil for others

	// Of boards.
	rules   game.Rules
	bots    []arena.Contestant
	referee Referee
}

// newHall opens what a plan needs.
func (h *House) newHall(ctx context.Context, p *plan.Plan, files map[uint64][]byte) (*hall, error) {
	l := &hall{plan: p}
	if p.Kind == plan.Board {
		if l.rules = h.rules(p.Game); l.rules == nil {
			return nil, fmt.Errorf("run %s: this program does not know the rules %q", p.Name, p.Game)
		}
		l.referee = h.Referees[p.Game]
		for _, e := range p.Players {
			bot, err := h.bot(p.Game, e)
			if err != nil {
				return nil, fmt.Errorf("player %s: %w", e.Name, err)
			}
			l.bots = append(l.bots, arena.Contestant{Name: e.Name, Bot: bot})
		}
		for _, b := range l.bots {
			if err := b.Check(ctx, l.rules, p.Options); err != nil {
				l.close()
				return nil, fmt.Errorf("player %s: %w", b.Name, err)
			}
		}
		return l, nil
	}
	var err error
	if l.game, err = p.Acpc(); err != nil {
		return nil, err
	}
	l.policies = make([]*cfr.Policy, len(p.Players))
	l.doors = make([]*arena.Door, len(p.Players))
	for i, e := range p.Players {
		if e.Kind == kindRemote {
			if l.doors[i], err = arena.OpenDoor(e.Listen); err != nil {
				l.close()
				return nil, fmt.Errorf("player %s: %w", e.Name, err)
			}
		}
		if l.policies[i], err = h.policy(ctx, l, i, files); err != nil {
			l.close()
			return nil, fmt.Errorf("player %s: %w", p.Players[i].Name, err)
		}
	}
	return l, nil
}

// close closes the strategies, and ends programs that stay.
func (l *hall) close() {
	for _, d := range l.doors {
		if d != nil {
			_ = d.Close()
		}
	}
	for _, b := range l.bots {
		if c, ok := b.Bot.(io.Closer); ok {
			_ = c.Close()
		}
	}
	for _, p := range l.policies {
		if p != nil {
			_ = p.Close()
		}
	}
}

// policy opens, or trains, the strategy of a player; nil if it has none. A file is
// taken from where the plan names it, or else from those that came with it.
func (h *House) policy(ctx context.Context, l *hall, player int, files map[uint64][]byte) (*cfr.Policy, error) {
	switch e := l.plan.Players[player]; e.Kind {
	case kindStrategy:
		sum, err := fingerprint(e.Strategy)
		if err == nil && sum != l.plan.Prints[player] {
			err = fmt.Errorf("%s is not the file that the run was begun with", e.Strategy)
		}
		if err == nil {
			return h.openPolicy(l.game, e.Strategy)
		}
		shipped, ok := files[l.plan.Prints[player]]
		if !ok {
			return nil, err
		}
		return h.briefly(l.game, func(file string) error { return os.WriteFile(file, shipped, 0o600) })
	case kindTrained:
		return h.briefly(l.game, func(file string) error { return h.Train(ctx, l.game, e, file) })
	}
	return nil, nil
}

// briefly opens a strategy whose file is made for that, and not kept.
func (h *House) briefly(g *acpc.Game, make func(file string) error) (*cfr.Policy, error) {
	folder, err := os.MkdirTemp("", "gamebots-arena-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) // an open file may be removed, but not on all systems
	file := filepath.Join(folder, "brief.strategy")
	if err := make(file); err != nil {
		return nil, err
	}
	return h.openPolicy(g, file)
}

// openPolicy opens a strategy of a game, in memory if it fits.
func (h *House) openPolicy(g *acpc.Game, file string) (*cfr.Policy, error) {
	p, err := cfr.OpenPolicy(file, h.Memory(), nil)
	if err != nil {
		return nil, err
	}
	if err = p.CheckGame(g); err == nil {
		err = p.Load(h.Memory() / 2)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// player returns the player of a seat in process.
func (l *hall) player(shard *plan.Shard, order, player int) (dealer.Player, error) {
	e, seed := l.plan.Players[player], l.plan.PlayerSeed(shard, order, player)
	if policy := l.policies[player]; policy != nil {
		return poker.NewStrategy(policy, poker.Style{Purify: e.Purify, Threshold: e.Threshold}, seed), nil
	}
	return poker.NewOpponent(e.Kind, seed)
}

// play plays a shard.
func (l *hall) play(ctx context.Context, shard plan.Shard) (*plan.Result, error) {
	if l.plan.Kind == plan.Board {
		return l.playBoards(ctx, shard)
	}
	return l.playPoker(ctx, shard)
}
