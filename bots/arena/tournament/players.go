package tournament

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"sync"

	"gamebots/bots/arena"
	"gamebots/bots/grid"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/solvers/cfr/train"
)

// Players makes the players of runs: bots of board games, strategies, programs. Its
// fields are set before use. All methods may be called from any goroutine.
type Players struct {
	// Rules are the known board games.
	Rules []game.Rules
	// Bot returns the bot of a board game with these settings.
	Bot func(configs.Engine) (hexproto.Bot, error)
	// Train trains the strategy of a player of kind "trained" for some iterations and
	// writes it to a file, with the same bytes on every machine. It may take minutes.
	Train func(ctx context.Context, player string, spec train.Spec, iterations uint64, file string) error
	// Programs says that the programs of any plan may be run. Otherwise those of plans
	// that were given to Trust may.
	Programs bool

	sessions sessions
	mu       sync.Mutex
	trusted  map[string]bool // plans, as JSON
}

// Trust allows the programs of a plan to be run.
func (p *Players) Trust(run *arena.Plan) error {
	text, err := json.Marshal(run)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trusted == nil {
		p.trusted = map[string]bool{}
	}
	p.trusted[string(text)] = true
	return nil
}

// allowed returns a *grid.UnwillingError if a plan has programs, which must not be run here.
// Text is the plan as JSON.
func (p *Players) allowed(text []byte, run *arena.Plan) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Programs || p.trusted[string(text)] {
		return nil
	}
	for _, e := range run.Players {
		if len(e.Command) > 0 || e.Kind == kindProgram || e.Kind == "gtp" {
			return &grid.UnwillingError{Err: fmt.Errorf("player %s: programs of others are not run here", e.Name)}
		}
	}
	return nil
}

// Kind is the kind of grid job that plays a shard. Job.Shared is the plan with its
// strategy files, Job.Shard the number of the shard, and the result the text of
// arena.Result.Append.
const Kind = "arena"

// Kinds returns the grid jobs that play shards.
func (p *Players) Kinds() grid.Kinds { return grid.Kinds{Kind: p.Play} }

// Play plays the shard of a job.
func (p *Players) Play(ctx context.Context, job grid.Job) ([]byte, error) {
	s, err := p.acquire(ctx, job.Shared)
	if err != nil {
		return nil, err
	}
	defer p.sessions.release(s)
	if job.Shard < 0 || job.Shard >= s.plan.Shards() {
		return nil, fmt.Errorf("run %s has no shard %d", s.plan.Name, job.Shard)
	}
	result, err := s.play(ctx, s.plan.At(job.Shard))
	if err != nil {
		return nil, err
	}
	return result.Append(nil)
}

// Ready returns an error if a player of a plan cannot play on this machine at all:
// its program is missing, or its engine does not answer.
func (p *Players) Ready(ctx context.Context, run *arena.Plan) error {
	if run.Kind == arena.Board {
		shared, err := bundle(run, false)
		if err != nil {
			return err
		}
		s, err := p.acquire(ctx, shared)
		if err != nil {
			return err
		}
		p.sessions.release(s)
		return nil
	}
	for _, e := range run.Players {
		if e.Kind != kindProgram {
			continue
		}
		if _, err := exec.LookPath(e.Command[0]); err != nil {
			return fmt.Errorf("player %s: %w", e.Name, err)
		}
	}
	return nil
}

// Close closes the sessions without a shard in progress.
func (p *Players) Close() { p.sessions.close() }

// acquire returns the session of a job's run, which the caller releases. It opens the
// session if there is none yet; callers that need the same one wait for it.
func (p *Players) acquire(ctx context.Context, data []byte) (*shared, error) {
	return p.sessions.acquire(ctx, data, func() (*session, error) {
		run, text, files, err := unbundle(data)
		if err == nil {
			err = p.allowed(text, run)
		}
		if err != nil {
			return nil, err
		}
		return p.newSession(ctx, run, files)
	})
}

// bot returns the bot of a player of a board game.
func (p *Players) bot(rules string, e configs.Entry) (hexproto.Bot, error) {
	if e.Kind == "gtp" && len(e.Command) == 0 {
		return nil, errors.New("gtp needs a command")
	}
	return p.Bot(e.Engine(rules))
}
