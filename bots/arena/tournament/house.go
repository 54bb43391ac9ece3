package tournament

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"gamebots/acpc"
	"gamebots/bots/arena"
	"gamebots/bots/arena/plan"
	"gamebots/bots/grid"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/solvers/strategy"

	"github.com/zeebo/xxh3"
)

// House is what a program has to play with. It is not changed while it is used,
// and may then be used by any number of goroutines.
type House struct {
	// Rules are those of board games.
	Rules []game.Rules
	// Bot makes the bot of a board game that settings ask for.
	Bot func(configs.Engine) (hexproto.Bot, error)
	// Referees judge finished games by themselves, by the name of the rules.
	Referees map[string]Referee
	// Train trains the strategy of an entry of the kind "trained" and writes it to
	// a file: the same file on all machines.
	Train func(ctx context.Context, game *acpc.Game, entry configs.Entry, file string) error
	// Memory is how many bytes strategies may take.
	Memory func() float64

	mu    sync.Mutex
	halls map[uint64]*hall
}

// Referee judges a finished game; the winner is a seat, or -1.
type Referee = func(options json.RawMessage, moves []string) (winner int, err error)

// The kinds of poker players besides the plain opponents.
const (
	kindStrategy = "strategy"
	kindTrained  = "trained"
	kindProgram  = "program"
	kindRemote   = "remote"
)

// pokerKinds are all of them.
func pokerKinds() []string {
	return append([]string{kindStrategy, kindTrained, kindProgram, kindRemote}, poker.Opponents()...)
}

// Plan makes a plan of settings, which are valid. An error may be a
// *configs.Error that names a key.
func (h *House) Plan(a *configs.Arena) (*plan.Plan, error) {
	p := &plan.Plan{Name: a.Run.Name, Game: a.Run.Game, Seed: a.Run.Seed, Shard: int(a.Run.Shard), Players: a.Players, Stop: a.Stop}
	var err error
	if rules := h.rules(a.Run.Game); rules != nil {
		err = h.planBoard(p, a, rules)
	} else {
		err = planPoker(p, a)
	}
	if err != nil {
		return nil, err
	}
	p.Shard = min(p.Shard, p.Units)
	return p, nil
}

// rules returns the rules of a board game, or nil.
func (h *House) rules(name string) game.Rules {
	for _, r := range h.Rules {
		if r.About().Name == name {
			return r
		}
	}
	return nil
}

// The usual sizes of shards: some milliseconds of poker in process, a pair of
// games of boards.
const (
	pokerShard = 1000
	boardShard = 1
)

func planPoker(p *plan.Plan, a *configs.Arena) error {
	name, text, err := configs.GameText(a.Run.Game)
	if unknown := (*configs.UnknownGameError)(nil); errors.As(err, &unknown) {
		return &configs.Error{Key: "run.game", Err: err}
	}
	if err != nil {
		return err
	}
	game, err := acpc.ParseGame(name, text)
	if err != nil {
		return err
	}
	p.Kind, p.Game, p.Text, p.Deals = plan.Poker, game.Name, game.String(), a.Poker
	p.Units, p.Shard = int(a.Poker.Deals), cmp.Or(p.Shard, pokerShard)
	p.Orders = plan.Orders(game.NumPlayers, a.Poker.Seats == configs.SeatOrders[0])
	if game.NumPlayers > maxAll && a.Poker.Seats == configs.SeatOrders[0] {
		return &configs.Error{Key: "poker.seats", Msg: fmt.Sprintf("all orders of %d players are too many: \"rotate\" moves everybody on by a seat", game.NumPlayers)}
	}
	if p.Tables, err = plan.Tables(a.Run.Format, len(p.Players), game.NumPlayers); err != nil {
		return &configs.Error{Key: "player", Err: err}
	}
	p.Prints = make([]uint64, len(p.Players))
	for i, e := range p.Players {
		if p.Prints[i], err = checkPoker(game, i, e); err != nil {
			return err
		}
	}
	return nil
}

// maxAll is for how many players all orders of the seats are played: 120.
const maxAll = 5

// checkPoker says what is wrong with a player of poker, and returns the checksum
// of its strategy.
func checkPoker(game *acpc.Game, i int, e configs.Entry) (sum uint64, err error) {
	fail := func(key, format string, args ...any) error {
		return &configs.Error{Key: fmt.Sprintf("player[%d].%s", i+1, key), Msg: fmt.Sprintf(format, args...)}
	}
	switch kinds := pokerKinds(); {
	case !slices.Contains(kinds, e.Kind):
		return 0, fail("kind", "%q is not one of %s", e.Kind, strings.Join(kinds, ", "))
	case e.Kind == kindStrategy && e.Strategy == "":
		return 0, fail("strategy", "is needed: the file of the strategy")
	case e.Kind != kindStrategy && e.Strategy != "":
		return 0, fail("strategy", "is for kind %q, not %q", kindStrategy, e.Kind)
	case e.Kind == kindProgram && len(e.Command) == 0:
		return 0, fail("command", "is needed: the program and its arguments")
	case e.Kind != kindProgram && len(e.Command) > 0:
		return 0, fail("command", "is for kind %q, not %q", kindProgram, e.Kind)
	case e.Kind == kindRemote && e.Listen == "":
		return 0, fail("listen", "is needed: the address that the player connects to, as 127.0.0.1:9000")
	case e.Kind != kindRemote && e.Listen != "":
		return 0, fail("listen", "is for kind %q, not %q", kindRemote, e.Kind)
	case e.Kind == kindTrained && e.Iterations == 0:
		return 0, fail("iterations", "is 0: nothing would be trained")
	case e.Kind == kindStrategy:
		if err := checkStrategy(game, e.Strategy); err != nil {
			return 0, &configs.Error{Key: fmt.Sprintf("player[%d].strategy", i+1), Err: err}
		}
		return fingerprint(e.Strategy)
	}
	return 0, nil
}

// checkStrategy says whether a file is a strategy of a game, as far as its beginning
// and its end tell: before a run is begun that could only be given another name.
func checkStrategy(game *acpc.Game, file string) error {
	f, err := strategy.Open(file)
	if err != nil {
		return err
	}
	return errors.Join(f.CheckGame(game.String()), f.Close())
}

// fingerprint returns the checksum of a file.
func fingerprint(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum := xxh3.New()
	if _, err := io.Copy(sum, f); err != nil {
		return 0, err
	}
	return sum.Sum64(), nil
}

func (h *House) planBoard(p *plan.Plan, a *configs.Arena, rules game.Rules) error {
	game, err := rules.New(json.RawMessage(a.Board.Options))
	if err != nil {
		return &configs.Error{Key: "board.options", Err: err}
	}
	p.Kind, p.Options, p.Openings = plan.Board, game.Options(), a.Board
	p.Units, p.Shard = int(a.Board.Openings), cmp.Or(p.Shard, boardShard)
	p.Orders = plan.Orders(2, true)
	if p.Tables, err = plan.Tables(a.Run.Format, len(p.Players), 2); err != nil {
		return &configs.Error{Key: "player", Err: err}
	}
	for i, e := range p.Players {
		if _, err := h.bot(p.Game, e); err != nil {
			return &configs.Error{Key: fmt.Sprintf("player[%d].kind", i+1), Err: err}
		}
		switch guest := e.Kind == kindGuest; {
		case guest && a.Board.Moves > 0:
			return &configs.Error{Key: "board.moves", Msg: fmt.Sprintf("%d, where %s plays at a server, whose games have no openings: it must be 0", a.Board.Moves, e.Name)}
		case guest && game.ToMove() == [2]bool{true, true}:
			return &configs.Error{Key: fmt.Sprintf("player[%d].kind", i+1), Msg: fmt.Sprintf("no program at a server plays %s here, where both move at once", p.Game)}
		}
	}
	return nil
}

// kindGuest is a program that plays at a server of board games.
const kindGuest = "hexproto"

// bot returns the bot of a player of a board game.
func (h *House) bot(rules string, e configs.Entry) (hexproto.Bot, error) {
	if e.Kind == kindGuest {
		if len(e.Command) == 0 {
			return nil, errors.New("hexproto needs a command")
		}
		return &arena.Guest{Name: e.Name, Command: e.Command, Rules: h.rules(rules)}, nil
	}
	engine := configs.DefaultBoard().Engine
	engine.Rules, engine.Kind, engine.Seed, engine.Command, engine.Setup, engine.Grace = rules, e.Kind, e.Seed, e.Command, e.Setup, e.Grace
	engine.Simulations, engine.Playouts, engine.Threads, engine.Device = e.Simulations, e.Playouts, e.Threads, e.Device
	if e.Kind == "gtp" && len(e.Command) == 0 {
		return nil, errors.New("gtp needs a command")
	}
	return h.Bot(engine)
}

// Ready says why a player of a plan cannot play at all on this machine: a program
// that is not there, or an engine that does not answer.
func (h *House) Ready(ctx context.Context, p *plan.Plan) error {
	if p.Kind == plan.Board {
		shared, err := bundle(p, false)
		if err != nil {
			return err
		}
		l, err := h.open(ctx, shared)
		if err != nil {
			return err
		}
		h.leave(l)
		return nil
	}
	for _, e := range p.Players {
		if e.Kind != kindProgram {
			continue
		}
		if _, err := exec.LookPath(e.Command[0]); err != nil {
			return fmt.Errorf("player %s: %w", e.Name, err)
		}
	}
	return nil
}

// Kind is the kind of job that plays a shard: Job.Shared is the plan with its
// files, Job.Shard the shard's number, and the result what plan.Result.Append
// writes.
const Kind = "arena"

// Kinds are the kinds of jobs that play shards.
func (h *House) Kinds() grid.Kinds { return grid.Kinds{Kind: h.Play} }

// Play plays the shard of a job.
func (h *House) Play(ctx context.Context, job grid.Job) ([]byte, error) {
	l, err := h.open(ctx, job.Shared)
	if err != nil {
		return nil, err
	}
	defer h.leave(l)
	if job.Shard < 0 || job.Shard >= l.plan.Shards() {
		return nil, fmt.Errorf("run %s has no shard %d", l.plan.Name, job.Shard)
	}
	result, err := l.play(ctx, l.plan.At(job.Shard))
	if err != nil {
		return nil, err
	}
	return result.Append(nil)
}

// maxHalls is how many runs stay open, with their strategies, for further shards.
const maxHalls = 4

// open returns the hall of a plan, to be left when a shard is played. Whoever
// needs it while it is opened waits.
func (h *House) open(ctx context.Context, shared []byte) (*hall, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := xxh3.Hash(shared)
	if l := h.halls[key]; l != nil {
		l.users++
		return l, nil
	}
	p, files, err := unbundle(shared)
	if err != nil {
		return nil, err
	}
	l, err := h.newHall(ctx, p, files)
	if err != nil {
		return nil, err
	}
	if h.halls == nil {
		h.halls = map[uint64]*hall{}
	}
	if len(h.halls) >= maxHalls {
		h.close()
	}
	h.halls[key] = l
	l.users++
	return l, nil
}

func (h *House) leave(l *hall) {
	h.mu.Lock()
	l.users--
	h.mu.Unlock()
}

// Close closes what is open for runs of which no shard is played.
func (h *House) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.close()
}

func (h *House) close() {
	for key, l := range h.halls {
		if l.users == 0 {
			l.close()
			delete(h.halls, key)
		}
	}
}
