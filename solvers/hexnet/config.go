package hexnet

import (
	"fmt"
	"strconv"
	"strings"
)

// The sizes that all networks share.
const (
	Planes = 16 // inputs of a cell
	Kinds  = 3  // number of kinds of winning structures

	taps         = numNear + 1
	cellOutputs  = 4
	boardOutputs = 1 + Kinds
	hidden       = 64 // units between the pooled channels and the board's outputs
	pools        = 3  // numbers that are pooled of each channel
)

// The limits of a Config.
const (
	MaxBlocks     = 40
	MaxChannels   = 512
	MaxParameters = 1 << 24
)

// A Config is the size of a network.
type Config struct {
	Blocks   int `json:"blocks"`   // 1 to MaxBlocks
	Channels int `json:"channels"` // a multiple of 16 to MaxChannels
}

// String returns the size as blocks x channels, as in 6x64.
func (c Config) String() string { return fmt.Sprintf("%dx%d", c.Blocks, c.Channels) }

// Check returns why there is no network of the size, or nil.
func (c Config) Check() error {
	switch {
	case c.Blocks < 1 || c.Blocks > MaxBlocks:
		return fmt.Errorf("%d blocks are not from 1 to %d", c.Blocks, MaxBlocks)
	case c.Channels < 16 || c.Channels > MaxChannels || c.Channels%16 != 0:
		return fmt.Errorf("%d channels are not a multiple of 16 to %d", c.Channels, MaxChannels)
	case c.NumParameters() > MaxParameters:
		return fmt.Errorf("a network of %v has %d parameters, more than %d", c, c.NumParameters(), MaxParameters)
	}
	return nil
}

// NumParameters returns the number of parameters of a network of the size.
func (c Config) NumParameters() int {
	last := c.layers().board
	return last.bias + last.out
}

// Operations returns the floating-point operations of the convolutions for a board with
// these cells: a product and a sum for each weight and cell. To learn from a board takes three
// times as many.
func (c Config) Operations(cells int) float64 {
	return float64(2 * cells * taps * c.Channels * (Planes + 2*c.Blocks*c.Channels))
}

// A layer is a linear map with its place among the parameters: weights in the order
// [tap][input][output], then biases.
type layer struct {
	taps, in, out int
	weights, bias int // offsets; bias is -1 for a layer without
}

func (l layer) numWeights() int { return l.taps * l.in * l.out }

// blockLayers are the layers of a block. pool has no outputs in a block without pooling.
type blockLayers struct{ conv1, pool, conv2 layer }

// layers are all layers of a network. Parameters are in the order stem, blocks (conv1,
// pool, conv2), cells, hidden, board.
type layers struct {
	stem                 layer
	blocks               []blockLayers
	cells, hidden, board layer
}

func (c Config) layers() (l layers) {
	at := 0
	add := func(taps, in, out int, biased bool) layer {
		l := layer{taps, in, out, at, -1}
		at += l.numWeights()
		if biased {
			l.bias = at
			at += out
		}
		return l
	}
	l.stem = add(taps, Planes, c.Channels, true)
	for i := range c.Blocks {
		var b blockLayers
		b.conv1 = add(taps, c.Channels, c.Channels, true)
		if i%2 == 1 {
			b.pool = add(1, pools*c.Channels, c.Channels, false)
		}
		b.conv2 = add(taps, c.Channels, c.Channels, true)
		l.blocks = append(l.blocks, b)
	}
	l.cells = add(1, c.Channels, cellOutputs, true)
	l.hidden = add(1, pools*c.Channels, hidden, true)
	l.board = add(1, hidden, boardOutputs, true)
	return l
}

// ParseConfig parses a size as String prints it, as in 6x64.
func ParseConfig(text string) (c Config, err error) {
	blocks, channels, ok := strings.Cut(text, "x")
	if c.Blocks, err = strconv.Atoi(blocks); ok && err == nil {
		c.Channels, err = strconv.Atoi(channels)
	}
	if !ok || err != nil {
		return c, fmt.Errorf("%q is not a number of blocks and of channels, as in 6x64", text)
	}
	return c, c.Check()
}

// numNear is the number of neighbours of a cell inside a board.
const numNear = 6

// A Shape is the cells of a board, in packed order. It is never modified.
type Shape struct {
	Side  int // scales pooled means
	Cells int
	near  []int32 // [cell][tap]: the cell itself, then its neighbours; Cells off the board
}

// NewShape returns a shape by the neighbour of each cell in each of six directions, which
// is cells where the board ends. Opposite directions differ by three.
func NewShape(side, cells int, near func(cell, direction int) int) *Shape {
	s := &Shape{Side: side, Cells: cells}
	for cell := range cells {
		s.near = append(s.near, int32(cell))
		for d := range numNear {
			s.near = append(s.near, int32(near(cell, d)))
		}
	}
	return s
}

// opposite has for each tap the one that leads back.
var opposite = []int{0, 4, 5, 6, 1, 2, 3}

// rows returns the table of gathered rows, [board][cell][tap], of some boards whose cells
// follow each other. Off the boards it is the row after their last.
func (s *Shape) rows(boards int) []int32 {
	off := int32(boards * s.Cells)
	all := make([]int32, 0, boards*len(s.near))
	for board := range int32(boards) {
		for _, near := range s.near {
			if near == int32(s.Cells) {
				all = append(all, off)
			} else {
				all = append(all, board*int32(s.Cells)+near)
			}
		}
	}
	return all
}

// boards returns the number of boards that planes describe.
func (s *Shape) boards(planes []uint8) (int, error) {
	size := s.Cells * Planes
	if len(planes) == 0 || len(planes)%size != 0 {
		return 0, fmt.Errorf("%d bytes of planes are not boards of %d", len(planes), size)
	}
	return len(planes) / size, nil
}

// scale is the factor of the second pooled mean.
func (s *Shape) scale() float32 { return float32(s.Side-6) / 4 }
