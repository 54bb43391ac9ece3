package configs

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Arena has the settings of a run of the arena. The file arena.toml explains them.
type Arena struct {
	Run     Run      `toml:"run"`
	Poker   Deals    `toml:"poker"`
	Board   Openings `toml:"board"`
	Stop    Stop     `toml:"stop"`
	Players []Entry  `toml:"player"`
}

// Run is the table [run].
type Run struct {
	Name   string `toml:"name"`   // name of the run in the database
	Game   string `toml:"game"`   // name or path of a poker game, or the name of a board game
	Format string `toml:"format"` // one of Formats
	Seed   uint64 `toml:"seed"`
	Shard  uint64 `toml:"shard"` // deals or openings in a job; 0 is the default of the game
}

// The formats of a run.
const (
	// RoundRobin seats every combination of players.
	RoundRobin = "round-robin"
	// Gauntlet seats the first player with every combination of the others.
	Gauntlet = "gauntlet"
	// OneMatch seats all players at one table.
	OneMatch = "match"
)

// Formats are all formats of a run.
var Formats = []string{RoundRobin, Gauntlet, OneMatch}

// Deals is the table [poker].
type Deals struct {
	Deals uint64 `toml:"deals"` // deals of each table
	Seats string `toml:"seats"` // one of SeatOrders; "" is all for up to five players, and else rotate
	// Time limits of bots that are programs, as in dealer.Limits.
	Start    time.Duration `toml:"start"`
	Response time.Duration `toml:"response"`
	PerHand  time.Duration `toml:"per_hand"`
}

// SeatOrders are the seat orders in which a deal is played: all orders of the players, or
// the rotations of one.
var SeatOrders = []string{"all", "rotate"}

// Openings is the table [board].
type Openings struct {
	Openings uint64        `toml:"openings"` // openings of each table, each played twice
	Moves    uint64        `toml:"moves"`    // random moves in an opening
	Options  string        `toml:"options"`  // JSON
	PerMove  time.Duration `toml:"per_move"` // 0 leaves it to the bots
}

// Stop is the table [stop]: Wald's sequential test of two advantages of a table's first
// player, in Elo, or in mb a hand for poker, which ends the table early. Two equal values
// are no test.
type Stop struct {
	First  float64 `toml:"first"`
	Second float64 `toml:"second"`
}

// Test reports whether a test is set.
func (s Stop) Test() bool { return s.First != s.Second }

// Entry is a table [[player]]: a player of a run.
type Entry struct {
	Name string `toml:"name"`
	Kind string `toml:"kind"`
	Seed uint64 `toml:"seed"`

	// Poker: a strategy file, or the training of a strategy.
	Strategy   string `toml:"strategy"`
	Algorithm  string `toml:"algorithm"`
	Iterations uint64 `toml:"iterations"`
	Cards      string `toml:"cards"`
	Actions    string `toml:"actions"`
	// Those of the opponent against which the strategy is trained. Plans without them are as before.
	OpponentCards   string  `toml:"opponent_cards" json:",omitempty"`
	OpponentActions string  `toml:"opponent_actions" json:",omitempty"`
	Purify          bool    `toml:"purify"`
	Threshold       float64 `toml:"threshold"`
	// Rounds that are solved in play, as in Bot. Plans without them are as before.
	Solve     uint64 `toml:"solve" json:",omitempty"`
	SolveFrom string `toml:"solve_from" json:",omitempty"`

	// Programs: the dealer's host and port, or the server's address, are added as
	// arguments.
	Command []string      `toml:"command"`
	Setup   []string      `toml:"setup"` // GTP commands before each game
	Grace   time.Duration `toml:"grace"`

	// Board games.
	Simulations uint64 `toml:"simulations"`
	Playouts    uint64 `toml:"playouts"`
	Threads     uint64 `toml:"threads"`
	Device      string `toml:"device"`
	Net         string `toml:"net" json:",omitempty"` // file of a network; plans without one are as before
}

// Engine returns the settings of the player's engine at a board game. What a player
// cannot set has its default.
func (e *Entry) Engine(rules string) Engine {
	engine := DefaultBoardBot().Engine
	engine.Rules, engine.Kind, engine.Seed, engine.Command, engine.Setup, engine.Grace = rules, e.Kind,
		e.Seed, e.Command, e.Setup, e.Grace
	engine.Simulations, engine.Playouts, engine.Threads, engine.Device = e.Simulations, e.Playouts, e.Threads, e.Device
	engine.Net = e.Net
	return engine
}

// DefaultArena returns the default settings.
func DefaultArena() Arena {
	return Arena{
		Run: Run{Format: RoundRobin},
		Poker: Deals{Deals: 10_000, Start: time.Minute, Response: 10 * time.Minute,
			PerHand: 7 * time.Second},
		Board: Openings{Openings: 50, Moves: 2},
	}
}

// defaults returns the defaults of a player.
func (Entry) defaults() any {
	return Entry{Algorithm: "cfr+", Iterations: 1000, Cards: "lossless", Grace: 5 * time.Second, Playouts: 256,
		Threads: 1, Device: "auto", Purify: true}
}

// maxUnits limits the deals or openings of a table, so that the number of all games does
// not overflow.
const maxUnits = 1_000_000_000_000

// separates reports whether a character of a name would end it in a log, or does not print.
func separates(c rune) bool { return c == '|' || c == ':' || !unicode.IsPrint(c) }

// Validate returns an [Error] if a value is invalid. It does not know the games and the
// kinds of bots.
func (a *Arena) Validate() error {
	switch r := a.Run; {
	case r.Name == "":
		return &Error{Key: "run.name", Msg: "is needed: the database finds the run by it"}
	case strings.ContainsFunc(r.Name, func(c rune) bool { return c == ' ' || separates(c) || c == '/' }):
		return &Error{Key: "run.name", Msg: fmt.Sprintf("%q has a space, one of / | :, or a character that does not "+
			"print", r.Name)}
	case r.Game == "":
		return &Error{Key: "run.game", Msg: "is needed: the game to play"}
	case !slices.Contains(Formats, r.Format):
		return NotOneOf("run.format", r.Format, Formats)
	case a.Poker.Deals == 0:
		return &Error{Key: "poker.deals", Msg: "is 0: nothing would be played"}
	case a.Poker.Deals > maxUnits:
		return &Error{Key: "poker.deals", Msg: fmt.Sprintf("%d is more than %d", a.Poker.Deals, maxUnits)}
	case a.Poker.Seats != "" && !slices.Contains(SeatOrders, a.Poker.Seats):
		return NotOneOf("poker.seats", a.Poker.Seats, SeatOrders)
	case a.Board.Openings == 0:
		return &Error{Key: "board.openings", Msg: "is 0: nothing would be played"}
	case a.Board.Openings > maxUnits:
		return &Error{Key: "board.openings", Msg: fmt.Sprintf("%d is more than %d", a.Board.Openings, maxUnits)}
	case !(a.Stop.First <= a.Stop.Second):
		return &Error{Key: "stop.first", Msg: "is not the smaller of the two differences"}
	case len(a.Players) < 2:
		return &Error{Key: "player", Msg: fmt.Sprintf("%d is less than the two players that a match needs; each "+
			"is a table [[player]]", len(a.Players))}
	}
	names := map[string]bool{}
	for i, p := range a.Players {
		key := func(name string) string { return itemKey("player", i, name) }
		switch {
		case p.Name == "":
			return &Error{Key: key("name"), Msg: "is needed"}
		case strings.ContainsFunc(p.Name, func(c rune) bool { return separates(c) || c == ',' }):
			return &Error{Key: key("name"), Msg: fmt.Sprintf("%q has one of | : , which logs have between names, or a "+
				"character that does not print", p.Name)}
		case names[p.Name]:
			return &Error{Key: key("name"), Msg: fmt.Sprintf("%q is the name of two players", p.Name)}
		case p.Kind == "":
			return &Error{Key: key("kind"), Msg: "is needed: the kind of player"}
		case !(p.Threshold >= 0 && p.Threshold <= 1):
			return &Error{Key: key("threshold"), Msg: fmt.Sprintf("%v is not a probability from 0 to 1", p.Threshold)}
		case p.Threads > MaxThreads:
			return tooManyThreads(key("threads"), p.Threads)
		}
		if err := (Solving{Iterations: p.Solve, From: p.SolveFrom}).Check(key); err != nil {
			return err
		}
		names[p.Name] = true
	}
	return nil
}
