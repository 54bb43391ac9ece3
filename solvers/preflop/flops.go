package preflop

import (
	_ "embed"
	"encoding/binary"
	"math"
	"slices"
	"sync"
)

// nobody has raised before the flop.
const nobody = 2

// A flop is the end of a line before it.
type flop struct {
	ratio float64 // ratio of the stacks to the pot
	// won is how many pots the small blind wins beyond its half, times the pairs of hands of the two classes, and pots
	// how large the pot becomes.
	won  *matrix
	pots float64
}

// lines are those of a strategy with a flop: by line four numbers of 32 bits, which are who raised last, the ratio, the
// pots at the end and the most pots that two classes win of each other. Then come roots of parts of the last one, of
// what the small blind wins by its class and that of the other one: signed bytes, in 127ths.
//
//go:embed flops.bin
var lines []byte

// flops returns the lines by who raised last, in the order of their ratios.
var flops = sync.OnceValue(func() (all [3][]flop) {
	pairs, won := tables()
	equity := new(matrix)
	for a := range equity {
		for b := range equity {
			equity[a][b] = won[a][b] - pairs[a][b]/2
		}
	}
	for at := 0; at < len(lines); at += classes * classes {
		var head [4]float64
		for i := range head {
			head[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(lines[at:])))
			at += 4
		}
		m := new(matrix)
		for a := range m {
			for b := range m[a] {
				root := float64(int8(lines[at+a*classes+b])) / math.MaxInt8
				m[a][b] = pairs[a][b] * head[3] * root * math.Abs(root)
			}
		}
		raiser := int(head[0])
		all[raiser] = append(all[raiser], flop{head[1], m, head[2]})
	}
	sort := func(list []flop) {
		slices.SortFunc(list, func(x, y flop) int { return int(math.Copysign(1, x.ratio-y.ratio)) })
	}
	for raiser := range nobody {
		all[raiser] = append(all[raiser], flop{0, equity, 1})
		sort(all[raiser])
	}
	for i, x := range all[SmallBlind] { // the strategy has one line without a raise
		all[nobody] = append(all[nobody], x.mean(all[BigBlind][i]))
	}
	sort(all[nobody])
	return all
})

// mean returns the mean of two lines with the same ratio.
func (f flop) mean(g flop) flop {
	mean := flop{f.ratio, new(matrix), (f.pots + g.pots) / 2}
	for a := range mean.won {
		for b := range mean.won {
			mean.won[a][b] = (f.won[a][b] + g.won[a][b]) / 2
		}
	}
	return mean
}

// A share is a flop that stands for a part of another one.
type share struct {
	flop
	part float64
}

// flopAfter returns what stands for the end of a line, by who raised last and the ratio of stacks to the pot. Between
// two ratios it goes by their logarithm.
func flopAfter(raiser int, ratio float64) []share {
	list := flops()[raiser]
	i := slices.IndexFunc(list, func(x flop) bool { return x.ratio >= ratio })
	switch {
	case i < 0:
		return []share{{list[len(list)-1], 1}}
	case list[i].ratio == ratio:
		return []share{{list[i], 1}}
	}
	low, high := list[i-1], list[i]
	part := ratio / high.ratio
	if low.ratio > 0 {
		part = math.Log(ratio/low.ratio) / math.Log(high.ratio/low.ratio)
	}
	return []share{{low, 1 - part}, {high, part}}
}
