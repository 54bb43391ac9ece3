// Liarsdice solves a game of one's own with hidden information, exactly: liar's dice, with one die of three sides for
// each player. A bid claims how many dice show a face; the highest face counts as any. The next player bids more or
// doubts the bid, and then it is true or not. Any game that fits in memory as a tree is solved in this way, from its
// rules: who moves in a position, what that player knows, and what comes next.
//
//	go run ./examples/liarsdice
package main

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"strings"

	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"
)

const (
	sides = 3
	bids  = 2 * sides // "1x1", "1x2", "1x3", "2x1" …, each more than the one before
	doubt = "doubt"
)

// position is the dice of both players, 0 before they are rolled, and what was said.
type position struct {
	dice [2]int
	said []string
}

type rules struct{}

func (rules) Start() position { return position{} }

func (rules) Describe(p position) extensive.Turn {
	if p.dice[0] == 0 {
		var roll extensive.Turn
		roll.Player = extensive.Chance
		for i := range sides * sides {
			roll.Actions = append(roll.Actions, fmt.Sprint(i/sides+1, " ", i%sides+1))
			roll.Probabilities = append(roll.Probabilities, big.NewRat(1, sides*sides))
		}
		return roll
	}
	n := len(p.said)
	if n > 0 && p.said[n-1] == doubt {
		return extensive.Turn{Payoffs: payoffs(p)}
	}
	player := n % 2
	turn := extensive.Turn{Player: player, Set: fmt.Sprint(p.dice[player], " after ", strings.Join(p.said, ","))}
	least := 0
	if n > 0 {
		turn.Actions = append(turn.Actions, doubt)
		least = number(p.said[n-1]) + 1
	}
	for i := least; i < bids; i++ {
		turn.Actions = append(turn.Actions, fmt.Sprintf("%dx%d", i/sides+1, i%sides+1))
	}
	return turn
}

func (r rules) Next(p position, action int) position {
	if p.dice[0] == 0 {
		return position{dice: [2]int{action/sides + 1, action%sides + 1}}
	}
	said := append([]string(nil), p.said...)
	return position{p.dice, append(said, r.Describe(p).Actions[action])}
}

// payoffs returns what the players win after a doubt.
func payoffs(p position) []*big.Rat {
	bid := number(p.said[len(p.said)-2])
	count, face := bid/sides+1, bid%sides+1
	for _, die := range p.dice {
		if die == face || die == sides {
			count--
		}
	}
	bidder := len(p.said) % 2 // who spoke before the player who doubts
	first := int64(-1)
	if (count <= 0) == (bidder == 0) {
		first = 1
	}
	return []*big.Rat{big.NewRat(first, 1), big.NewRat(-first, 1)}
}

// number returns a bid's place in the order of all.
func number(bid string) int {
	return int(bid[0]-'1')*sides + int(bid[2]-'1')
}

func main() {
	game, err := extensive.Build("liar's dice", []string{"first", "second"}, rules{})
	if err != nil {
		log.Fatal(err)
	}
	solution, err := sequence.Solve(context.Background(), game, sequence.Subgames)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d positions; the first player wins %s a game\n", len(game.Nodes), solution.Payoffs[0].RatString())
	for set, probabilities := range solution.Profile {
		name := game.Sets[set].Name
		if !strings.HasSuffix(name, " after ") {
			continue // not a first bid
		}
		for action, p := range probabilities {
			if p.Sign() > 0 {
				fmt.Printf("with a %c: %s with probability %s\n", name[0], game.ActionNames(set)[action], p.RatString())
			}
		}
	}
}
