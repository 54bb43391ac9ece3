package preflop

import (
	_ "embed"
	"encoding/binary"
	"sync"

	"gamebots/acpc/ranges"
)

// classes is how many classes of hands there are.
const classes = int(ranges.NumClasses)

// matrix has a number for each hand of a player, and of the other one.
type matrix [classes][classes]float64

// equities are those of each class against the later ones: parts of 65535, in little-endian order.
//
//go:embed equities.bin
var equities []byte

// tables returns how many pairs of hands without a card in common two classes have, and the same times the equity of
// the first.
var tables = sync.OnceValues(func() (pairs, won *matrix) {
	pairs, won = new(matrix), new(matrix)
	at := 0
	for a := range classes {
		for b := a; b < classes; b++ {
			n, equity := 0., .5
			for _, x := range ranges.Class(a).Hands() {
				for _, y := range ranges.Class(b).Hands() {
					if x&y == 0 {
						n++
					}
				}
			}
			if b > a {
				equity = float64(binary.LittleEndian.Uint16(equities[at:])) / 65535
				at += 2
			}
			pairs[a][b], pairs[b][a] = n, n
			won[a][b], won[b][a] = n*equity, n*(1-equity)
		}
	}
	return pairs, won
})
