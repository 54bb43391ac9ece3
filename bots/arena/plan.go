package arena

import (
	"encoding/json"
	"fmt"
	"iter"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/rng"
)

// Plan is everything that the results of a run depend on. It is stored with them as
// JSON.
type Plan struct {
	Name    string          `json:"name"`
	Kind    string          `json:"kind"` // Poker or Board
	Game    string          `json:"game"` // name of the poker definition, or of the rules
	Text    string          `json:"text,omitempty"`
	Options json.RawMessage `json:"options,omitempty"` // options of the rules

	Seed    uint64          `json:"seed"`
	Units   int             `json:"units"` // deals or openings of each table
	Shard   int             `json:"shard"` // units of a shard, but for the last ones
	Orders  [][]int         `json:"orders"`
	Tables  [][]int         `json:"tables"`
	Players []configs.Entry `json:"players"`
	// Prints are the checksums of the players' strategy files, 0 for none. Every
	// machine must play the same files.
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

// Shards returns the number of shards.
func (p *Plan) Shards() int { return len(p.Tables) * p.parts() }

// parts returns the number of shards of a table.
func (p *Plan) parts() int { return (p.Units + p.Shard - 1) / p.Shard }

// Games returns the number of hands or games of a table.
func (p *Plan) Games() int { return p.Units * len(p.Orders) }

// Names returns the names of a table's players.
func (p *Plan) Names(table int) []string {
	names := make([]string, len(p.Tables[table]))
	for i, player := range p.Tables[table] {
		names[i] = p.Players[player].Name
	}
	return names
}

// Shard is a piece of a run: some deals or openings of a table, in all orders of the
// players. Its games follow from the plan and its number.
type Shard struct {
	Number int
	Table  int
	Part   int // number within its table, from 0
	First  int // its first deal or opening of the table
	Count  int
	// Seed is the seed of its players' choices.
	Seed  uint64
	cards uint32
}

// At returns the shard of a number. Consecutive shards are of consecutive tables.
func (p *Plan) At(number int) Shard {
	s := Shard{Number: number, Table: number % len(p.Tables), Part: number / len(p.Tables)}
	s.First = s.Part * p.Shard
	s.Count = min(p.Shard, p.Units-s.First)
	s.Seed = rng.At(p.TableSeed(s.Table), uint64(s.Part))
	// No two shards of a run have the same cards. Random seeds would collide after some
	// ten thousand shards.
	s.cards = uint32(rng.At(p.Seed, 0)) + uint32(number)
	return s
}

// TableSeed returns the seed of a table's openings.
func (p *Plan) TableSeed(table int) uint64 { return rng.At(p.Seed, uint64(table)) }

// All yields all shards, by number.
func (p *Plan) All() iter.Seq[Shard] {
	return func(yield func(Shard) bool) {
		for i := range p.Shards() {
			if !yield(p.At(i)) {
				return
			}
		}
	}
}

// CardSeed returns the dealer's seed of a shard's matches, the same in every order.
func (s *Shard) CardSeed() uint32 { return s.cards }

// StrategySeed returns the seed of a strategy's choices in all orders of a shard. Strategies
// with the same seed in the settings share it: in the hands of a deal they act in the same way
// wherever they play the same, so that what is different decides.
func (p *Plan) StrategySeed(s *Shard, player int) uint64 {
	return rng.At(s.Seed, p.Players[player].Seed)
}

// PlayerSeed returns the seed of a player's own choices in one order of a shard.
func (p *Plan) PlayerSeed(s *Shard, order, player int) uint64 {
	return rng.At(rng.At(s.Seed, uint64(order)), rng.At(uint64(player), p.Players[player].Seed))
}

// Orders returns seat orders of n players; seat s has player order[s] of the table. With
// all they are the permutations in lexicographic order, else the rotations.
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

// Tables returns the players of each table of n seats, by their numbers.
func Tables(format string, players, n int) ([][]int, error) {
	if players < n {
		return nil, fmt.Errorf("%d players, where the game needs %d", players, n)
	}
	if format == configs.Gauntlet {
		return choose([]int{0}, 1, players, n), nil
	}
	if format != configs.RoundRobin && players != n {
		return nil, fmt.Errorf("%d players of one match, where the game has %d", players, n)
	}
	return choose(nil, 0, players, n), nil
}

// choose returns the sets of n players that begin with the given ones and continue with
// players from a number on.
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
