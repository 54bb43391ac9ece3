package acpc

import (
	"encoding/binary"
	"fmt"
)

// overwritten is a betting type that is neither limit nor no-limit. The original plays it
// as limit, but prints no raise sizes.
const overwritten Betting = NoLimit + 1

// behindBetting has the fields after the betting type in the original's memory.
type behindBetting struct {
	NumPlayers, NumRounds            uint8
	FirstPlayer, MaxRaises           [MaxRounds]uint8
	NumSuits, NumRanks, NumHoleCards uint8
	NumBoardCards                    [MaxRounds]uint8
}

// raiseSize reads the raise sizes. The original takes up to MaxPlayers of them, not
// MaxRounds. Those that do not fit overwrite the same fields as in its memory: the betting
// type and the numbers after it.
func (r *gameReader) raiseSize(text string) (int, string) {
	var sizes [MaxPlayers]int32
	n, rest := items(r, text, sizes[:], scanChips)
	copy(r.game.RaiseSize[:], sizes[:min(n, MaxRounds)])
	if n > MaxRounds {
		before := r.game
		r.game.overwrite(sizes[MaxRounds:n])
		var reason *error
		if r.game != before {
			reason = &r.misread
		}
		r.beware(reason, Warning{r.file, r.line, "raiseSize", fmt.Sprintf(
			"%d raise sizes, at most %d fit: the original server writes the others over limit or nolimit, "+
				"numPlayers and what follows", n, MaxRounds)})
	}
	return n, rest
}

// overwrite writes numbers over the betting type and the fields after it.
func (g *Game) overwrite(numbers []int32) {
	g.Betting = overwritten
	if kind := numbers[0]; kind == int32(Limit) || kind == int32(NoLimit) {
		g.Betting = Betting(kind)
	}
	memory := behindBetting{
		uint8(g.NumPlayers), uint8(g.NumRounds), g.FirstPlayer, g.MaxRaises,
		uint8(g.NumSuits), uint8(g.NumRanks), uint8(g.NumHoleCards), g.NumBoardCards,
	}
	bytes := encode(memory)
	copy(bytes, encode(numbers[1:]))
	if _, err := binary.Decode(bytes, binary.LittleEndian, &memory); err != nil {
		panic(err) // they are as many as it has
	}
	g.NumPlayers, g.NumRounds = int(memory.NumPlayers), int(memory.NumRounds)
	g.FirstPlayer, g.MaxRaises = memory.FirstPlayer, memory.MaxRaises
	g.NumSuits, g.NumRanks = int(memory.NumSuits), int(memory.NumRanks)
	g.NumHoleCards, g.NumBoardCards = int(memory.NumHoleCards), memory.NumBoardCards
}

// encode returns the little-endian bytes of fixed-size values.
func encode(values any) []byte {
	bytes, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		panic(err) // only for values without a size
	}
	return bytes
}
