package client

import (
	"strings"

	"gamebots/acpc"
)

// playable returns a received line in a form that parses as it was meant. Lines differ
// only in games with board cards before the first action: the protocol writes those
// without a separator after the last position's hole cards, and if these are hidden, every
// parser, the dealer's own included, takes the board cards for them. Any cards in place of
// the hidden ones make the line unambiguous, as no player reads the cards of others.
func playable(g *acpc.Game, line string) string {
	board := 2 * int(g.NumBoardCards[0])
	if board == 0 {
		return line
	}
	last := strings.LastIndexByte(line, '|') + 1
	end := len(line)
	if slash := strings.IndexByte(line[last:], '/'); slash >= 0 {
		end = last + slash
	}
	if last == 0 || end-last != board {
		return line
	}
	return line[:last] + strings.Repeat("2c", g.NumHoleCards) + line[last:]
}
