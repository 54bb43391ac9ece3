package client

import (
	"strings"

	"gamebots/acpc"
)

// playable returns the line that stands for a received one. They differ only
// in games with board cards before the first action: the protocol writes
// those with no separator behind the last position's hole cards, and every
// reader, the dealer's own included, takes them for these when that field is
// empty. A hidden hand of any cards in it makes the line readable both ways,
// since no reader looks at the cards of others.
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
