package pcsgpu

import (
	"slices"

	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/segmentgpu"
)

// Game is what the kernels of pcs.cu need of a game. Arrays by hand have the
// hands that a board leaves, in the order of their ranks; arrays by lane have the betting
// sequences that lead to a round, those of a part next to each other.
type Game struct {
	Boards   int // boards of a batch
	Hands    int // hands that a board leaves
	Deck     int // cards
	TwoCards bool
	Apart    bool              // whether each player has a card abstraction of its own
	Widths   []int             // the lanes of each betting round
	Buckets  [][2]int          // buckets by round and player
	Parts    []segmentgpu.Part // parts of all rounds, in their order
	// Of the part of a game that one of several devices has, see [share]: how many devices there
	// are, and the first round that they divide among them.
	devices, divided int
}

// maxNumber bounds what kernels number in a byte: the columns of a program, and its values.
const maxNumber = 1<<8 - 1

// sourceWords is how many words a sum is packed in: a byte for their number and for each.
const sourceWords = (1 + segmentgpu.MaxActions) / 4

// packed returns the sums of a program as kernels read them.
func packed(sums [][]uint32) (words []uint32) {
	for _, from := range sums {
		var row [sourceWords]uint32
		for i, n := range append([]uint32{uint32(len(from))}, from...) {
			row[i/4] |= n << (8 * (i % 4))
		}
		words = append(words, row[:]...)
	}
	return words
}

// Batch is some boards with the hands that they leave.
type Batch struct {
	// Order is by board and hand: the positions of its cards in the deck, 6 bits each (the
	// second is the number of cards where hands have one), and from bit 12 its place in the order
	// from the best rank to the worst, with those of a rank as they are here.
	Order []uint32
	Cards []Cards // one for both players, or two where they are apart
}

// Cards are the buckets of the hands of a batch in a card abstraction.
type Cards struct {
	Buckets []uint32 // buckets by round, board and hand
	Rounds  []Hits
}

// CardsOf returns the buckets of a player.
func (b *Batch) CardsOf(player int) *Cards { return &b.Cards[player%len(b.Cards)] }

// abstractions returns the number of card abstractions.
func (g *Game) abstractions() int {
	if g.Apart {
		return 2
	}
	return 1
}

// Hits are the hands of a batch by bucket: those in bucket Buckets[i] are Hands from
// Starts[i] up to Starts[i+1], with the board above handBits bits.
type Hits struct{ Buckets, Starts, Hands []uint32 }

// HandBits is how many bits the number of a hand has in [Hits].
const HandBits = 11

// Update is how the strategy of a player is changed by a batch.
type Update struct {
	Regret, Sum float32 // the weight of the batch's regrets, and of its strategies
	Floor       bool    // whether regrets below zero become zero
}

// Splits returns among how many warps the hands of a bucket of a player are divided in a part: more
// where they are many, unless they have no room.
func (g *Game) Splits(part, player int) int {
	p, splits := &g.Parts[part], 1
	for splits < maxSplits && g.Boards*g.Hands >= 2*splits*handsPerSplit*g.Buckets[p.Round][player] &&
		max(updateBytes(p, 0, 2*splits), updateBytes(p, 1, 2*splits)) <= splitBytes {
		splits *= 2
	}
	return splits
}

// splitBytes is how much shared memory warps have together, if there are several.
const maxSplits, handsPerSplit, splitBytes = 4, 8, 96 << 10

// HitsAtOnce is how many hands a warp treats at a time where it values segments.
const HitsAtOnce = 4

// updateBytes returns the shared memory of a block of the kernel for updates.
func updateBytes(p *segmentgpu.Part, player, splits int) int {
	columns := p.Columns[player]
	return 4*launch.Warp*(splits*(HitsAtOnce*p.Numbers(player)+columns+1)+columns) + ProgramBytes(p, player)
}

// ProgramBytes returns the shared memory of the program of a player in a part.
func ProgramBytes(p *segmentgpu.Part, player int) int {
	return 4 * (sourceWords*(p.Columns[player]+1) + len(p.Programs[player].Decisions))
}

// Entries returns the number of entries of a player's table in a part, with padding.
func (g *Game) Entries(part, player int) int {
	p := &g.Parts[part]
	return g.Buckets[p.Round][player] * p.Columns[player] * p.Width
}

// Reach returns the number of elements of the reach in a round, by board, hand and lane.
func (g *Game) Reach(r int) int { return g.Boards * g.Hands * g.Widths[r] }

// roots returns the number of elements of the values at the start of a round: those of other
// devices, too, in the first round that is divided among them.
func (g *Game) roots(r int) int {
	if r == g.divided {
		return g.Reach(r) * max(1, g.devices)
	}
	return g.Reach(r)
}

// Values returns the number of elements of the values at the ends of a part:
// by tile, board, value, hand and lane of the tile.
func (g *Game) Values(part int) int {
	p := &g.Parts[part]
	return g.Boards * g.Hands * p.Width * p.Values
}

// Bytes returns the memory that the training takes on one device.
func (g *Game) Bytes() (bytes int64) {
	hands := int64(g.Boards * g.Hands)
	for i := range g.Parts {
		for p := range 2 {
			bytes += 3 * int64(g.Entries(i, p)) // regrets, sums and strategies
		}
		bytes += int64(g.Values(i))
	}
	for r := range g.Widths {
		// The reach of both players, and values; then buckets, hits and entries.
		bytes += 2*int64(g.Reach(r)) + int64(g.roots(r)) + 6*hands*int64(g.abstractions())
	}
	return 4 * (bytes + hands)
}

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
	path                         [segmentgpu.MaxPath]uint32
}

// Deals returns the ends of a round as the kernels' struct Deal, on the way to which a player plays a
// table that starts at an element of each part.
func Deals(parts []segmentgpu.Part, round, player int, tableAt []int) []uint32 {
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
			d.path, d.length = segmentgpu.Padded(path)
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
var ActionKernels = []ActionKernel{{"few", 3}, {"some", 6}, {"most", segmentgpu.MaxActions}}

// ActionKernelOf returns the number of the first kernel for a part.
func ActionKernelOf(p *segmentgpu.Part) int {
	most := p.MostActions()
	return slices.IndexFunc(ActionKernels, func(k ActionKernel) bool { return most <= k.most })
}
