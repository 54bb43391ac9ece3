package configs

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Arena is what gamebots arena run plays. The file arena.toml says what each of
// the settings means to a user.
type Arena struct {
	Run     Run      `toml:"run"`
	Poker   Deals    `toml:"poker"`
	Board   Openings `toml:"board"`
	Stop    Stop     `toml:"stop"`
	Players []Entry  `toml:"player"`
}

// Run is what a run is, of whatever game.
type Run struct {
	Name   string `toml:"name"`   // in the database
	Game   string `toml:"game"`   // of poker a name or path, or the name of a board game's rules
	Format string `toml:"format"` // one of Formats
	Seed   uint64 `toml:"seed"`
	Shard  uint64 `toml:"shard"` // deals or openings that are one job; 0 for the usual
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

// Deals is how poker is played.
type Deals struct {
	Deals uint64 `toml:"deals"` // of each table
	Seats string `toml:"seats"` // one of SeatOrders
	// The times of bots that are programs, as a dealer has them.
	Start    time.Duration `toml:"start"`
	Response time.Duration `toml:"response"`
	PerHand  time.Duration `toml:"per_hand"`
}

// SeatOrders are how often a deal is played: in all orders of the players, or in
// those that come of moving everybody on by a seat.
var SeatOrders = []string{"all", "rotate"}

// Openings is how board games are played.
type Openings struct {
	Openings uint64        `toml:"openings"` // of each table, each played twice
	Moves    uint64        `toml:"moves"`    // random moves that are an opening
	Options  string        `toml:"options"`  // JSON
	PerMove  time.Duration `toml:"per_move"` // 0 leaves it to the bots
}

// Stop is when a table ends before all is played: when Wald's test has decided
// between two differences of its first player, in Elo, in poker mb a hand. Two
// equal ones are no test.
type Stop struct {
	First  float64 `toml:"first"`
	Second float64 `toml:"second"`
}

// Test reports whether there is a test.
func (s Stop) Test() bool { return s.First != s.Second }

// Entry is a player of a run.
type Entry struct {
	Name string `toml:"name"`
	Kind string `toml:"kind"`
	Seed uint64 `toml:"seed"`

	// Poker: a strategy file, or one that is trained when it is needed.
	Strategy   string  `toml:"strategy"`
	Algorithm  string  `toml:"algorithm"`
	Iterations uint64  `toml:"iterations"`
	Cards      string  `toml:"cards"`
	Actions    string  `toml:"actions"`
	Purify     bool    `toml:"purify"`
	Threshold  float64 `toml:"threshold"`

	// Programs: the dealer's host and port, or the server's address, are added.
	Command []string      `toml:"command"`
	Setup   []string      `toml:"setup"` // GTP commands before each game
	Grace   time.Duration `toml:"grace"`
	Listen  string        `toml:"listen"` // where a player of poker comes to who is not started

	// Boards.
	Simulations uint64 `toml:"simulations"`
	Playouts    uint64 `toml:"playouts"`
	Threads     uint64 `toml:"threads"`
	Device      string `toml:"device"`
}

// DefaultArena returns the settings of a run that is told nothing.
func DefaultArena() Arena {
	return Arena{
		Run:   Run{Format: RoundRobin},
		Poker: Deals{Deals: 10_000, Seats: "all", Start: time.Minute, Response: 10 * time.Minute, PerHand: 7 * time.Second},
		Board: Openings{Openings: 50, Moves: 2},
	}
}

// defaults are those of each player.
func (Entry) defaults() any {
	return Entry{Algorithm: "cfr+", Iterations: 1000, Cards: "lossless", Grace: 5 * time.Second, Playouts: 256, Threads: 1, Device: "auto"}
}

// maxUnits is how many deals or openings a table may have: of more, nobody would
// see the end, nor could all games be counted.
const maxUnits = 1_000_000_000_000

// Validate returns what is wrong with the settings as an [Error], or nil. Whether
// there are such games and bots is for the program to say.
func (a *Arena) Validate() error {
	for _, f := range fieldsOf(a) {
		if f.isDuration() && f.value.Int() < 0 {
			return &Error{Key: f.key, Msg: "is negative"}
		}
	}
	switch r := a.Run; {
	case r.Name == "":
		return &Error{Key: "run.name", Msg: "is needed: it is what the run is found by"}
	case strings.ContainsFunc(r.Name, func(c rune) bool { return c <= ' ' || c == '/' || c == '|' || c == ':' }):
		return &Error{Key: "run.name", Msg: fmt.Sprintf("%q has a space or one of / | :", r.Name)}
	case r.Game == "":
		return &Error{Key: "run.game", Msg: "is needed: what is played?"}
	case !slices.Contains(Formats, r.Format):
		return notOneOf("run.format", r.Format, Formats)
	case a.Poker.Deals == 0:
		return &Error{Key: "poker.deals", Msg: "is 0: nothing would be played"}
	case a.Poker.Deals > maxUnits:
		return &Error{Key: "poker.deals", Msg: fmt.Sprintf("%d is more than %d", a.Poker.Deals, maxUnits)}
	case !slices.Contains(SeatOrders, a.Poker.Seats):
		return notOneOf("poker.seats", a.Poker.Seats, SeatOrders)
	case a.Board.Openings == 0:
		return &Error{Key: "board.openings", Msg: "is 0: nothing would be played"}
	case a.Board.Openings > maxUnits:
		return &Error{Key: "board.openings", Msg: fmt.Sprintf("%d is more than %d", a.Board.Openings, maxUnits)}
	case !(a.Stop.First <= a.Stop.Second):
		return &Error{Key: "stop.first", Msg: "is not the smaller of the two differences"}
	case len(a.Players) < 2:
		return &Error{Key: "player", Msg: fmt.Sprintf("%d is less than the two players that a match needs; each is a table [[player]]", len(a.Players))}
	}
	names := map[string]bool{}
	for i, p := range a.Players {
		key := func(name string) string { return itemKey("player", i, name) }
		switch {
		case p.Name == "":
			return &Error{Key: key("name"), Msg: "is needed"}
		case strings.ContainsFunc(p.Name, func(c rune) bool { return c < ' ' || c == '|' || c == ':' || c == ',' }):
			return &Error{Key: key("name"), Msg: fmt.Sprintf("%q has one of | : , which logs have between names", p.Name)}
		case names[p.Name]:
			return &Error{Key: key("name"), Msg: fmt.Sprintf("%q is the name of two players", p.Name)}
		case p.Kind == "":
			return &Error{Key: key("kind"), Msg: "is needed: what plays?"}
		case !(p.Threshold >= 0 && p.Threshold <= 1):
			return &Error{Key: key("threshold"), Msg: fmt.Sprintf("%v is not a probability from 0 to 1", p.Threshold)}
		case p.Threads > MaxThreads:
			return tooManyThreads(key("threads"), p.Threads)
		case p.Grace < 0:
			return &Error{Key: key("grace"), Msg: "is negative"}
		}
		names[p.Name] = true
	}
	return nil
}
