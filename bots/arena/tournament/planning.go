package tournament

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/hexproto/game"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/strategy"
)

// The kinds of poker players besides the plain opponents.
const (
	kindStrategy = "strategy" // a strategy file
	kindTrained  = "trained"  // a strategy that is trained for the run
	kindProgram  = "program"  // a program that is started for each match
)

// goneKinds are the kinds of players that went with 0.3.0.
var goneKinds = []string{"hexproto", "remote"}

// pokerKinds returns all kinds of poker players.
func pokerKinds() []string {
	return append([]string{kindStrategy, kindTrained, kindProgram}, poker.Opponents()...)
}

// The default sizes of shards: some milliseconds of poker in process, some seconds where a
// player solves rounds in play, one pair of board games.
const (
	pokerShard  = 1000
	solvedShard = 10
	boardShard  = 1
)

// maxAllOrders is the largest number of players whose orders are all played: 120.
const maxAllOrders = 5

// Plan returns the plan of validated settings. An error may be a *configs.Error that
// names a key.
func (p *Players) Plan(a *configs.Arena) (*arena.Plan, error) {
	run := &arena.Plan{
		Name: a.Run.Name, Game: a.Run.Game, Seed: a.Run.Seed, Shard: int(a.Run.Shard), Stop: a.Stop,
		Players: slices.Clone(a.Players),
	}
	for i, e := range a.Players {
		if slices.Contains(goneKinds, e.Kind) {
			return nil, &configs.Error{
				Key: fmt.Sprintf("player[%d].kind", i+1),
				Msg: fmt.Sprintf("%q went with 0.3.0 (the last commit with it is 5b68c516)", e.Kind),
			}
		}
		// For other kinds it means nothing: a run goes on after another default.
		run.Players[i].Purify = e.Purify && (e.Kind == kindStrategy || e.Kind == kindTrained)
	}
	var err error
	if rules := game.Named(p.Rules, a.Run.Game); rules != nil {
		err = p.planBoard(run, a, rules)
	} else {
		err = planPoker(run, a)
	}
	if err != nil {
		return nil, err
	}
	run.Shard = min(run.Shard, run.Units)
	return run, nil
}

func planPoker(run *arena.Plan, a *configs.Arena) error {
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
	all, many := configs.SeatOrders[0], game.NumPlayers > maxAllOrders
	run.Kind, run.Game, run.Text, run.Deals = arena.Poker, game.Name, game.String(), a.Poker
	if many {
		run.Deals.Seats = cmp.Or(run.Deals.Seats, configs.SeatOrders[1])
	}
	run.Deals.Seats = cmp.Or(run.Deals.Seats, all)
	run.Units = int(a.Poker.Deals)
	if slices.ContainsFunc(run.Players, func(e configs.Entry) bool { return e.Solve > 0 }) {
		run.Shard = cmp.Or(run.Shard, solvedShard)
	}
	run.Shard = cmp.Or(run.Shard, pokerShard)
	run.Orders = arena.Orders(game.NumPlayers, run.Deals.Seats == all)
	if many && run.Deals.Seats == all {
		return &configs.Error{
			Key: "poker.seats",
			Msg: fmt.Sprintf("all orders of %d players are too many: \"rotate\" moves everybody on by a seat",
				game.NumPlayers),
		}
	}
	if run.Tables, err = arena.Tables(a.Run.Format, len(run.Players), game.NumPlayers); err != nil {
		return &configs.Error{Key: "player", Err: err}
	}
	run.Prints = make([]uint64, len(run.Players))
	for i := range run.Players {
		if run.Prints[i], err = checkPoker(game, i, &run.Players[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkPoker checks the settings of a poker player, and returns the checksum of its
// strategy file, 0 without one. Menus of raises are replaced by the raises.
func checkPoker(game *acpc.Game, i int, e *configs.Entry) (sum uint64, err error) {
	key := func(name string) string { return fmt.Sprintf("player[%d].%s", i+1, name) }
	fail := func(name, format string, args ...any) error {
		return &configs.Error{Key: key(name), Msg: fmt.Sprintf(format, args...)}
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
	case e.Kind == kindTrained && e.Iterations == 0:
		return 0, fail("iterations", "is 0: nothing would be trained")
	case e.Kind != kindStrategy && e.Kind != kindTrained && e.Solve > 0:
		return 0, fail("solve", "is for kinds %q and %q, not %q", kindStrategy, kindTrained, e.Kind)
	case e.Kind != kindTrained && e.OpponentCards != "":
		return 0, fail("opponent_cards", "is for kind %q, not %q", kindTrained, e.Kind)
	case e.Kind != kindTrained && e.OpponentActions != "":
		return 0, fail("opponent_actions", "is for kind %q, not %q", kindTrained, e.Kind)
	}
	if e.Kind == kindTrained {
		if err := checkTraining(game, key, e); err != nil {
			return 0, err
		}
	}
	rounds := game.NumRounds
	if e.Kind == kindStrategy {
		if rounds, err = checkStrategy(game, e.Strategy); err != nil {
			return 0, &configs.Error{Key: key("strategy"), Err: err}
		}
		if sum, err = fingerprint(e.Strategy); err != nil {
			return 0, err
		}
	}
	solving := solvingOf(e)
	if err := solving.Check(game, rounds); err != nil {
		return 0, &configs.Error{Key: key("solve"), Err: err}
	}
	return sum, nil
}

// checkTraining checks the settings of a training, and replaces menus by their raises.
func checkTraining(game *acpc.Game, key func(name string) string, e *configs.Entry) error {
	if err := configs.ReadMenus(key, &e.Actions, &e.OpponentActions); err != nil {
		return err
	}
	_, err := trainingOf(game, e)
	if wrong, ok := errors.AsType[*train.Error](err); ok {
		err = &configs.Error{Key: key(configs.TrainingKey(string(wrong.Field))), Err: err}
	}
	return err
}

// checkStrategy checks that a file is a strategy of a game, by its header and index, and
// returns how many of the game's rounds it has. A run that begins with a bad file could not be
// begun again under its name.
func checkStrategy(game *acpc.Game, file string) (rounds int, err error) {
	f, err := strategy.Open(file)
	if err != nil {
		return 0, err
	}
	m := f.Meta()
	own, err := acpc.ParseGame(m.Game, m.GameText)
	if err == nil {
		if _, same := own.Offset(game); !same {
			err = f.CheckGame(game.String())
		}
	}
	return cmp.Or(m.Rounds, game.NumRounds), errors.Join(err, f.Close())
}

func (p *Players) planBoard(run *arena.Plan, a *configs.Arena, rules game.Rules) error {
	game, err := rules.New(json.RawMessage(a.Board.Options))
	if err != nil {
		return &configs.Error{Key: "board.options", Err: err}
	}
	run.Kind, run.Options, run.Openings = arena.Board, game.Options(), a.Board
	run.Units, run.Shard = int(a.Board.Openings), cmp.Or(run.Shard, boardShard)
	run.Orders = arena.Orders(2, true)
	if run.Tables, err = arena.Tables(a.Run.Format, len(run.Players), 2); err != nil {
		return &configs.Error{Key: "player", Err: err}
	}
	for i, e := range run.Players {
		if _, err := p.bot(run.Game, e); err != nil {
			return &configs.Error{Key: fmt.Sprintf("player[%d].kind", i+1), Err: err}
		}
		if net := e.Engine(run.Game).Network(); net != "" {
			sum, err := networkFingerprint(net)
			if err != nil {
				return &configs.Error{Key: fmt.Sprintf("player[%d].net", i+1), Err: err}
			}
			if run.Prints == nil {
				run.Prints = make([]uint64, len(run.Players))
			}
			run.Prints[i] = sum
		}
	}
	return nil
}
