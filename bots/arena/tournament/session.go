package tournament

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/hexproto/game"
	"gamebots/solvers/policy"

	"github.com/zeebo/xxh3"
)

// session is a run that is being played: its plan and all that is open for it. It may
// be used by any number of goroutines.
type session struct {
	plan *arena.Plan

	// Poker.
	game     *acpc.Game
	policies []*policy.Policy // strategies by player, nil for players without

	// Board games.
	rules game.Rules
	bots  []arena.Contestant
}

// maxSessions is how many sessions stay open for further shards of their runs. There
// are more only while more are in use.
const maxSessions = 4

// sessions has the sessions. The zero value is empty.
type sessions struct {
	mu  sync.Mutex
	all []*shared // sessions in the order of their last shards
}

// shared is a session that shards share.
type shared struct {
	*session            // nil until it is open
	key      uint64     // checksum of the data that its jobs share
	opening  sync.Mutex // held while it is opened
	users    int        // shards in progress, guarded by sessions.mu
}

// acquire returns the session of a run, which the caller releases. One that is not open is
// opened outside of the lock of all, because that may take minutes: only callers that need the
// same session wait, and the next of them opens it if that failed.
func (c *sessions) acquire(ctx context.Context, data []byte, open func() (*session, error)) (*shared, error) {
	s := c.hold(xxh3.Hash(data))
	s.opening.Lock()
	defer s.opening.Unlock()
	err := context.Cause(ctx)
	if err == nil && s.session == nil {
		s.session, err = open()
	}
	if err != nil {
		c.release(s)
		return nil, err
	}
	return s, nil
}

// hold returns a session and counts its user. If there are too many it closes the oldest that is not in use.
func (c *sessions) hold(key uint64) *shared {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &shared{key: key}
	if i := slices.IndexFunc(c.all, func(s *shared) bool { return s.key == key }); i >= 0 {
		s = c.all[i]
		c.all = slices.Delete(c.all, i, i+1)
	}
	c.closeUnused(maxSessions - 1)
	c.all = append(c.all, s)
	s.users++
	return s
}

func (c *sessions) release(s *shared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.users--
}

func (c *sessions) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closeUnused(0)
}

// closeUnused closes sessions that are not in use, the oldest first, until at most some are left. The caller holds the
// lock.
func (c *sessions) closeUnused(most int) {
	extra := len(c.all) - most
	c.all = slices.DeleteFunc(c.all, func(s *shared) bool {
		if extra <= 0 || s.users > 0 {
			return false
		}
		if s.session != nil {
			s.close()
		}
		extra--
		return true
	})
}

// newSession opens the players of a plan. Files are the strategies that came with it, by
// their checksums.
func (p *Players) newSession(ctx context.Context, run *arena.Plan, files map[uint64][]byte) (*session, error) {
	s := &session{plan: run}
	var err error
	if run.Kind == arena.Board {
		err = p.openBots(ctx, s)
	} else {
		err = p.openPlayers(ctx, s, files)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// openBots makes the bots of a board game, and checks that they can play.
func (p *Players) openBots(ctx context.Context, s *session) error {
	if s.rules = game.Named(p.Rules, s.plan.Game); s.rules == nil {
		return fmt.Errorf("run %s: this program does not know the rules %q", s.plan.Name, s.plan.Game)
	}
	for _, e := range s.plan.Players {
		bot, err := p.bot(s.plan.Game, e)
		if err != nil {
			return fmt.Errorf("player %s: %w", e.Name, err)
		}
		s.bots = append(s.bots, arena.Contestant{Name: e.Name, Bot: bot})
	}
	for _, b := range s.bots {
		if err := b.Check(ctx, s.rules, s.plan.Options); err != nil {
			return fmt.Errorf("player %s: %w", b.Name, err)
		}
	}
	return nil
}

// openPlayers opens the strategies of a poker run.
func (p *Players) openPlayers(ctx context.Context, s *session, files map[uint64][]byte) (err error) {
	if s.game, err = s.plan.Acpc(); err != nil {
		return err
	}
	opened := map[string]*policy.Policy{} // players of one file share it, but not with one that solves other rounds
	s.policies = make([]*policy.Policy, len(s.plan.Players))
	for i, e := range s.plan.Players {
		file := fmt.Sprint(s.plan.Prints[i], e.Solve, e.SolveFrom)
		if s.policies[i] = opened[file]; s.policies[i] != nil {
			continue
		}
		if s.policies[i], err = p.policy(ctx, s, i, files); err != nil {
			return fmt.Errorf("player %s: %w", e.Name, err)
		}
		if e.Kind == kindStrategy {
			opened[file] = s.policies[i]
		}
	}
	return nil
}

// close closes strategies, and ends the programs of bots.
func (s *session) close() {
	for _, b := range s.bots {
		if c, ok := b.Bot.(io.Closer); ok {
			_ = c.Close()
		}
	}
	for i, p := range s.policies {
		if p != nil && !slices.Contains(s.policies[:i], p) {
			_ = p.Close()
		}
	}
}

// player returns the player of a seat that plays in this process.
func (s *session) player(shard *arena.Shard, order, player int) (acpc.Player, error) {
	e := s.plan.Players[player]
	if p := s.policies[player]; p != nil {
		return resolving.New(p, styleOf(&e), s.plan.StrategySeed(shard, player), solvingOf(&e))
	}
	return poker.NewOpponent(e.Kind, s.plan.PlayerSeed(shard, order, player))
}

// play plays a shard.
func (s *session) play(ctx context.Context, shard arena.Shard) (*arena.Result, error) {
	if s.plan.Kind == arena.Board {
		return s.playBoards(ctx, shard)
	}
	return s.playPoker(ctx, shard)
}
