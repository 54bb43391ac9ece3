package acpc

import (
	"fmt"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
)

// check makes the original's checks in the original's order, then those of this package.
func (r *gameReader) check() {
	g := &r.game
	r.inRange("numRounds", "rounds", g.NumRounds, 1, MaxRounds)
	r.inRange("numPlayers", "players", g.NumPlayers, 2, MaxPlayers)
	if _, ok := r.read["stack"]; !ok {
		// The original gives a stack to its first players only.
		r.read["stack"] = readKey{0, 4}
	}
	r.enough("stack", "stack sizes", g.NumPlayers)
	r.enough("blind", "blinds", g.NumPlayers)
	if r.err != nil {
		return
	}
	for p := range g.NumPlayers {
		if g.Blind[p] > g.Stack[p] {
			r.fail("blind", r.read["blind"].line, "blind for player %d is greater than stack size", p+1)
		}
	}
	if g.Betting == Limit {
		r.enough("raiseSize", "raise sizes", g.NumRounds)
	}
	for i, p := range g.FirstPlayer[:g.NumRounds] {
		if p < 1 || int(p) > g.NumPlayers {
			r.fail("firstPlayer", r.read["firstPlayer"].line, "invalid first player %d on round %d", p, i+1)
		}
		g.FirstPlayer[i]--
	}
	r.inRange("numSuits", "suits", g.NumSuits, 1, card.NumSuits)
	r.inRange("numRanks", "ranks", g.NumRanks, 1, card.NumRanks)
	r.inRange("numHoleCards", "hole cards", g.NumHoleCards, 1, MaxHoleCards)
	r.enough("numBoardCards", "board card numbers", g.NumRounds)

	board := g.BoardCards(g.NumRounds - 1)
	if g.NumHoleCards*g.NumPlayers+board > g.NumSuits*g.NumRanks {
		r.fail("numBoardCards", r.read["numBoardCards"].line, "too many hole and board cards for specified deck")
	}
	if shown := g.NumHoleCards + board; g.HandRanking == hand.ThreeCard && shown != 3 {
		r.fail("handRanking", r.read["handRanking"].line,
			"threeCard ranks three cards, a hand of this game has %d", shown)
	}
}

func (r *gameReader) inRange(key, what string, n, low, high int) {
	if n < low || n > high {
		r.fail(key, r.read[key].line, "invalid number of %s: %d", what, n)
	}
}

func (r *gameReader) enough(key, what string, need int) {
	if k := r.read[key]; k.values < need {
		r.fail(key, k.line, "only read %d %s, need %d", k.values, what, need)
	}
}

func (r *gameReader) fail(key string, line int, format string, args ...any) {
	if r.err == nil {
		r.err = &GameError{r.file, line, key, fmt.Sprintf(format, args...)}
	}
}
