package pcsgpu

import (
	"slices"

	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/segments"
)

// PartWords has the layout of the struct Part of kernels/parts.cuh: where what a part has starts in
// arrays of all parts, and its sizes.
type PartWords struct {
	Reach, Strategy, Values                                                    uint64
	Tasks, Pass, Passes, Pays, Columns, Width, NumValues, Round, RoundWidth, _ uint32
}

// dealWords has the layout of the struct Deal of kernels/parts.cuh.
type dealWords struct {
	table                        uint64
	stride, width, first, length uint32
	path                         [segments.MaxPath]uint32
}

// Deals returns the ends of a round as the kernels' struct Deal, on the way to which a player plays a
// table that starts at an element of each part.
func Deals(parts []segments.Part, round, player int, tableAt []int) []uint32 {
	var deals []dealWords
	for i := range parts {
		p := &parts[i]
		if p.Round != round {
			continue
		}
		for _, path := range p.Paths[player] {
			d := dealWords{
				table: uint64(tableAt[i]), stride: uint32(p.Columns[player] * p.Width),
				width: uint32(p.Width), first: uint32(p.First),
			}
			d.path, d.length = segments.Padded(path)
			deals = append(deals, d)
		}
	}
	return launch.Words(deals)
}

// HandsPerBlock is how many hands the blocks of kernels for reach have.
const HandsPerBlock = 8

// ActionKernel is the end of the name of a kernel for parts in which no decision, of either player, has
// more than some actions.
type ActionKernel struct {
	Name string
	most int
}

// ActionKernels are those with few actions first.
var ActionKernels = []ActionKernel{{"few", 3}, {"some", 6}, {"most", segments.MaxActions}}

// ActionKernelOf returns the number of the first kernel for a part.
func ActionKernelOf(p *segments.Part) int {
	most := p.MostActions()
	return slices.IndexFunc(ActionKernels, func(k ActionKernel) bool { return most <= k.most })
}
