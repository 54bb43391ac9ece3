package plan

import (
	"encoding/json"
	"fmt"
	"iter"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/rng"
)

// Plan is all that the results of a run depend on. It is kept with them as JSON,
// and is not changed after it is made.
type Plan struct {
	Name    string          `json:"name"`
	Kind    string          `json:"kind"` // Poker or Board
	Game    string          `json:"game"` // of poker a definition's name, or the rules' name
	Text    string          `json:"text,omitempty"`
	Options json.RawMessage `json:"options,omitempty"` // of the rules

	Seed    uint64          `json:"seed"`
	Units   int             `json:"units"` // deals or openings of each table
	Shard   int             `json:"shard"` // units of a shard, but for the last ones
	Orders  [][]int         `json:"orders"`
	Tables  [][]int         `json:"tables"`
	Players []configs.Entry `json:"players"`
	// Prints are the checksums of the players' strategy files, 0 for none, so that
	// no other machine plays another.
	Prints []uint64 `json:"prints,omitempty"`

	Deals    configs.Deals    `json:"deals"`
	Openings configs.Openings `json:"openings"`
	Stop     configs.Stop     `json:"stop"`
}

// The kinds of runs.
const (
	Poker = "poker"
	Board = "board"
)

// Acpc returns the definition of a poker run's game.
func (p *Plan) Acpc() (*acpc.Game, error) {
	if p.Kind != Poker {
		return nil, fmt.Errorf("run %s is of %s, not of poker", p.Name, p.Game)
	}
	return acpc.ParseGame(p.Game, p.Text)
}

// Shards is how many shards there are.
func (p *Plan) Shards() int { return len(p.Tables) * p.parts() }

// parts is how many shards a table has.
func (p *Plan) parts() int { return (p.Units + p.Shard - 1) / p.Shard }

// Games is how many hands or games a table has.
func (p *Plan) Games() int { return p.Units * len(p.Orders) }

// Names are those of a table's players.
func (p *Plan) Names(table int) []string {
	names := make([]string, len(p.Tables[table]))
	for i, player := range p.Tables[table] {
		names[i] = p.Players[player].Name
	}
	return names
}

// Shard is a unit of work: some deals or openings of a table, in all orders of
// the players. What is played in it follows from the plan and its number.
type Shard struct {
	Number int
	Table  int
	Part   int // of its table, from 0
	First  int // its first deal or opening of the table
	Count  int
	// Seed is that of its players' choices.
	Seed  uint64
	cards uint32
}

// At returns a shard. Their numbers go around the tables.
func (p *Plan) At(number int) Shard {
	s := Shard{Number: number, Table: number % len(p.Tables), Part: number / len(p.Tables)}
	s.First = s.Part * p.Shard
	s.Count = min(p.Shard, p.Units-s.First)
	s.Seed = rng.At(p.TableSeed(s.Table), uint64(s.Part))
	// No other shard of the run has the cards: seeds that are drawn would meet
	// after some ten thousands, as birthdays do.
	s.cards = uint32(rng.At(p.Seed, 0)) + uint32(number)
	return s
}

// TableSeed is the seed of a table's openings.
func (p *Plan) TableSeed(table int) uint64 { return rng.At(p.Seed, uint64(table)) }

// All are all shards, by number.
func (p *Plan) All() iter.Seq[Shard] {
	return func(yield func(Shard) bool) {
		for i := range p.Shards() {
			if !yield(p.At(i)) {
				return
			}
		}
	}
}

// CardSeed is the seed of the dealer of a shard's matches, one for each order.
func (s *Shard) CardSeed() uint32 { return s.cards }

// PlayerSeed is the seed of a player, of its own choices in one order of a shard.
func (p *Plan) PlayerSeed(s *Shard, order, player int) uint64 {
	return rng.At(rng.At(s.Seed, uint64(order)), rng.At(uint64(player), p.Players[player].Seed))
}

// Orders returns the orders in which n players are seated: the one in seat s is
// player order[s] of the table. All of them are the permutations in the order of
// dictionaries, else everybody moves on by a seat.
func Orders(n int, all bool) [][]int {
	var orders [][]int
	if !all {
		for shift := range n {
			order := make([]int, n)
			for seat := range order {
				order[seat] = (seat + shift) % n
			}
			orders = append(orders, order)
		}
		return orders
	}
	var seat func(order []int, left []int)
	seat = func(order, left []int) {
		if len(left) == 0 {
			orders = append(orders, append([]int(nil), order...))
		}
		for i, player := range left {
			others := append(append([]int(nil), left[:i]...), left[i+1:]...)
			seat(append(order, player), others)
		}
	}
	players := make([]int, n)
	for i := range players {
		players[i] = i
	}
	seat(nil, players)
	return orders
}

// Tables returns who plays at each table of n seats, by the numbers of the
// players.
func Tables(format string, players, n int) ([][]int, error) {
	if players < n {
		return nil, fmt.Errorf("%d players, where the game needs %d", players, n)
	}
	switch format {
	case configs.RoundRobin:
		return choose(nil, 0, players, n), nil
	case configs.Gauntlet:
		return choose([]int{0}, 1, players, n), nil
	}
	if players != n {
		return nil, fmt.Errorf("%d players of one match, where the game has %d", players, n)
	}
	return choose(nil, 0, players, n), nil
}

// choose returns the sets of n that begin with some and go on with others from
// one on.
func choose(begin []int, from, players, n int) [][]int {
	if len(begin) == n {
		return [][]int{append([]int(nil), begin...)}
	}
	var sets [][]int
	for player := from; player < players; player++ {
		sets = append(sets, choose(append(begin, player), player+1, players, n)...)
	}
	return sets
}
