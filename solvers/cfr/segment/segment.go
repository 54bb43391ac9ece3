package segment

import (
	"slices"

	"gamebots/acpc"
	"gamebots/cudalib/segmentgpu"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/vectors"
)

// The layout of a part, which kernels read, too.
type (
	Part     = segmentgpu.Part
	Program  = segmentgpu.Program
	End      = segmentgpu.End
	Decision = segmentgpu.Decision
)

// None stands for no lane and no value.
const None = segmentgpu.None

// Nodes are where a part is in the betting tree. Nodes of a segment are counted from its root.
type Nodes struct {
	Lanes     []betting.Segment // segment of each lane
	Decisions [2][]int32        // nodes of each player's decisions, in the order of its program
	Deals     []int32           // nodes of the deals
}

// All lays out the parts of all rounds, in the order of the rounds, and links them. Runouts are those
// of [New]. The error is a [*GameError] for those with more actions than kernels have room for.
func All(t *betting.Tree, runouts bool) (parts []Part, nodes []Nodes, err error) {
	var lanes []uint32 // lane of each segment in its round
	widths := make([]int, t.Game.NumRounds)
	for r := range widths {
		p, n, of := New(t, t.Segments[len(lanes):][:t.Shape.Segments[r]], runouts)
		lanes = append(lanes, of...)
		for i := range p {
			if !p[i].Fits() {
				return nil, nil, &GameError{t.Game.Name, "its betting rounds have too many actions"}
			}
			widths[r] += p[i].Width
		}
		parts, nodes = append(parts, p...), append(nodes, n...)
	}
	for i := range parts {
		p := &parts[i]
		for deal, node := range nodes[i].Deals {
			for lane, s := range nodes[i].Lanes {
				p.Next[deal*p.Width+lane] = lanes[t.Nodes[s.First+node].First]
			}
		}
	}
	segmentgpu.Link(parts, widths)
	return parts, nodes, nil
}

// New lays out some segments of one round as parts, and returns the lane of each in its round. Next
// is left open: it is None.
//
// Where a player is all-in, no decision follows. With runouts, each round that is still dealt is
// a segment with one deal, or with one showdown in the last round. Without, the showdown is an end
// where the betting ends, and there is no lane for such a segment: None.
func New(t *betting.Tree, list []betting.Segment, runouts bool) (parts []Part, nodes []Nodes, lanes []uint32) {
	shapes, first := shaper{t, runouts}, 0
	lanes = slices.Repeat([]uint32{None}, len(list))
	for _, group := range shapes.groups(list) {
		var alike []betting.Segment
		for _, i := range group {
			alike = append(alike, list[i])
		}
		p, n := shapes.layOut(alike)
		p.First = first
		first += p.Width
		for lane, i := range group {
			lanes[i] = uint32(p.First + lane)
		}
		parts, nodes = append(parts, p), append(nodes, n)
	}
	return parts, nodes, lanes
}

// layOut lays out segments with the same decisions as a part.
func (s shaper) layOut(lanes []betting.Segment) (Part, Nodes) {
	like := lanes[0]
	b := &builder{shaper: s, root: like.First, numbers: map[int32]uint32{}, paths: map[int32][2][]uint32{}}
	b.nodes.Lanes = lanes
	b.to.Round, b.to.Lanes = like.Round, len(lanes)
	b.to.Width = (len(lanes) + vectors.TileLanes - 1) / vectors.TileLanes * vectors.TileLanes
	b.number(like.First, [2][]uint32{})
	b.to.Values, b.to.Deals = len(b.ends), len(b.nodes.Deals)
	b.to.Next = slices.Repeat([]uint32{None}, b.to.Deals*b.to.Width)
	for player := range b.to.Programs {
		b.player, b.program = player, &b.to.Programs[player]
		b.program.Columns = make([][]uint32, b.to.Columns[player])
		b.program.Root = b.visit(like.First)
		for _, node := range b.ends {
			b.program.Pays = append(b.program.Pays, b.pays(node)...)
		}
	}
	return b.to, b.nodes
}

// builder lays a part out. Nodes are those of the segment that all are like.
type builder struct {
	shaper
	root  int32
	to    Part
	nodes Nodes
	ends  []int32
	// By node: its number as an end or as a deal, or the first column of a decision; and the
	// columns of both players before it.
	numbers map[int32]uint32
	paths   map[int32][2][]uint32

	player  int
	program *Program // the player's program
}

// number numbers the nodes from one on.
func (b *builder) number(node int32, path [2][]uint32) {
	n := &b.tree.Nodes[node]
	b.paths[node] = path
	switch {
	case b.ended(node):
		b.numbers[node] = uint32(len(b.ends))
		b.ends = append(b.ends, node)
	case n.Kind == betting.Deal:
		b.numbers[node] = uint32(len(b.nodes.Deals))
		b.nodes.Deals = append(b.nodes.Deals, node-b.root)
		for p := range path {
			b.to.Paths[p] = append(b.to.Paths[p], path[p])
		}
	default:
		first, before := uint32(b.to.Columns[n.Actor]), path[n.Actor]
		b.numbers[node] = first
		b.to.Columns[n.Actor] += int(n.NumActions)
		for a := range uint32(n.NumActions) {
			path[n.Actor] = append(slices.Clip(before), first+a)
			b.number(n.First+int32(a), path)
		}
	}
}

// visit adds the ends and the player's decisions from a node on to the program, and returns the
// values that the value there is the sum of.
func (b *builder) visit(node int32) (sum []uint32) {
	n, number := &b.tree.Nodes[node], b.numbers[node]
	switch {
	case b.ended(node):
		b.end(node)
		return []uint32{number}
	case n.Kind == betting.Deal:
		return []uint32{uint32(b.to.Values) + number}
	}
	own := int(n.Actor) == b.player
	for a := range uint32(n.NumActions) {
		child := b.visit(n.First + int32(a))
		if own {
			b.program.Columns[number+a] = child
		} else {
			sum = append(sum, child...)
		}
	}
	if !own {
		return sum
	}
	b.program.Decisions = append(b.program.Decisions,
		Decision{Column: number, Actions: uint32(n.NumActions), Path: b.paths[node][b.player]})
	b.nodes.Decisions[b.player] = append(b.nodes.Decisions[b.player], node-b.root)
	return []uint32{uint32(b.to.Numbers(b.player) - 1)}
}

// end adds the value at an end.
func (b *builder) end(node int32) {
	path, value := b.paths[node][1-b.player], func(e *End) *uint32 { return &e.Fold }
	if b.potAt(node).Showdown() {
		value = func(e *End) *uint32 { return &e.Showdown }
	}
	i := slices.IndexFunc(b.program.Ends, func(e End) bool { return slices.Equal(e.Path, path) && *value(&e) == None })
	if i < 0 {
		i = len(b.program.Ends)
		b.program.Ends = append(b.program.Ends, End{Path: path, Fold: None, Showdown: None})
	}
	*value(&b.program.Ends[i]) = b.numbers[node]
}

// pays returns what the player wins at an end, by lane.
func (b *builder) pays(node int32) []float32 {
	pays := make([]float32, b.to.Width)
	for lane, s := range b.nodes.Lanes {
		var ranks [acpc.MaxPlayers]int
		ranks[b.player] = 1
		pays[lane] = float32(b.potAt(s.First+node-b.root).Value(b.player, &ranks))
	}
	return pays
}
