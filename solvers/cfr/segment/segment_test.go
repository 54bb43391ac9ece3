package segment_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/cudalib/segmentgpu"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/internal/vectors"
)

func tree(t testing.TB, g *acpc.Game, raises string) *betting.Tree {
	t.Helper()
	a, err := betting.ParseActions(raises)
	if err != nil {
		t.Fatal(err)
	}
	return betting.NewTree(g, a.ShapeOf(g, 1<<20))
}

// A walk goes through a segment as the betting tree has it, in the order in which a part numbers
// its ends and its deals.
type walk struct {
	tree        *betting.Tree
	player      int
	part        *segment.Part
	lane        int
	ends        []vectors.Tile
	after       []float32 // values of the next round's lanes
	sigma       []vectors.Tile
	best        bool // plays the best actions instead of sigma
	end, deal   int
	columns     [2]int
	seen, count int // ends that are paid as the pot says, and all
}

// value returns the value of a node, and numbers what follows on it.
func (w *walk) value(node int32) float32 {
	n, at := &w.tree.Nodes[node], w.lane%vectors.TileLanes
	if last := &w.tree.Nodes[w.tree.AfterDeal(node)]; last.Kind == betting.Terminal {
		var ranks [acpc.MaxPlayers]int
		ranks[w.player] = 1
		w.count++
		pays := w.part.Programs[w.player].Pays[w.end*w.part.Width+w.lane]
		if pays == float32(w.tree.Terminals[last.First].Value(w.player, &ranks)) {
			w.seen++
		}
		w.end++
		return w.ends[w.end-1][at]
	}
	if n.Kind == betting.Deal {
		w.deal++
		return w.after[w.part.Next[(w.deal-1)*w.part.Width+w.lane]]
	}
	first := w.columns[n.Actor]
	w.columns[n.Actor] += int(n.NumActions)
	var values []float32
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		values = append(values, w.value(child))
	}
	own := int(n.Actor) == w.player
	if own && w.best {
		return slices.Max(values)
	}
	sum := float32(0)
	for a, v := range values {
		if own {
			v *= w.sigma[first+a][at]
		}
		sum += v
	}
	return sum
}

// The program of each part gives the value of its segments, in limit games and where segments of a
// round differ and players are all-in.
func TestValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	some := func() float32 { return float32(random.IntN(64)) / 8 } // sums are exact
	for _, test := range []struct{ game, raises string }{
		{"kuhn", "all"}, {"leduc", "all"}, {"holdem-limit-flop", "all"}, {"leduc-nolimit", "0.5,1,2,a/1,a"},
	} {
		tree := tree(t, pokertest.Game(t, test.game), test.raises)
		parts, nodes, err := segment.All(tree, false)
		if err != nil {
			t.Fatal(err)
		}
		after := make([]float32, segmentgpu.MaxLanes)
		for i := range after {
			after[i] = some()
		}
		for i := range parts {
			p := &parts[i]
			for player := range 2 {
				v := segment.NewValues(p, player)
				sigma, chosen := make([]vectors.Tile, p.Columns[player]),
					make([][vectors.TileLanes]uint8, len(p.Programs[player].Decisions))
				for _, list := range [][]vectors.Tile{sigma, v.Ends()} {
					for k := range list {
						for l := range list[k] {
							list[k][l] = some()
						}
					}
				}
				for lane := 0; lane < p.Width; lane += vectors.TileLanes {
					v.Deal(after, lane)
					mean := v.Mean(sigma, make([]vectors.Tile, len(sigma)))
					best := v.Best(chosen)
					for l := lane; l < min(lane+vectors.TileLanes, p.Lanes); l++ {
						for _, playsBest := range []bool{false, true} {
							got := mean[l-lane]
							if playsBest {
								got = best[l-lane]
							}
							w := &walk{tree: tree, player: player, part: p, lane: l, ends: v.Ends(), after: after,
								sigma: sigma, best: playsBest}
							want := w.value(nodes[i].Lanes[l].First)
							if diff := got - want; diff > 1e-3*max(1, want) || diff < -1e-3*max(1, want) {
								t.Fatalf("%s: part %d, player %d, lane %d, best %v: %v, want %v", test.game, i, player,
									l, playsBest, got, want)
							}
							if w.columns[player] != p.Columns[player] || w.end != p.Values || w.deal != p.Deals ||
								w.seen != w.count {
								t.Fatalf("%s: part %d, player %d: %+v", test.game, i, player, w)
							}
						}
					}
				}
			}
		}
	}
}

// Lanes follow on those that lead to them, and reach goes the same way.
func TestFollow(t *testing.T) {
	tree := tree(t, pokertest.Game(t, "leduc"), "all")
	parts, nodes, err := segment.All(tree, false)
	if err != nil || len(parts) != 2 {
		t.Fatal(len(parts), err)
	}
	from, to := &parts[0], &parts[1]
	row := make([]float32, from.Columns[1]*from.Width)
	for i := range row {
		row[i] = 1 / float32(2+i)
	}
	before, after := make([]float32, from.Width), make([]float32, to.Width)
	before[0] = 1
	segment.Follow(from, 1, row, before, after)
	for lane, source := range to.From {
		if lane >= to.Lanes {
			if source != segment.None || after[lane] != 0 {
				t.Errorf("padding follows on %#x", source)
			}
			continue
		}
		want := float32(1)
		for _, column := range from.Paths[1][source>>16] {
			want *= row[int(column)*from.Width]
		}
		deal := tree.Nodes[nodes[0].Lanes[source&0xffff].First+nodes[0].Deals[source>>16]]
		if after[lane] != want || tree.Segments[deal.First] != nodes[1].Lanes[lane] {
			t.Errorf("lane %d: reach %v, want %v", lane, after[lane], want)
		}
	}
}

// Games that are not valued board by board are refused, and rounds with more actions than kernels
// have room for; a part of those can be laid out all the same.
func TestRefuses(t *testing.T) {
	var refused *segment.GameError
	if err := segment.CheckRules(pokertest.Game(t, "kuhn-3p")); !errors.As(err, &refused) {
		t.Errorf("three players: %v", err)
	}
	long := *pokertest.Game(t, "kuhn")
	long.MaxRaises[0] = 20
	tree := tree(t, &long, "all")
	if _, _, err := segment.All(tree, false); !errors.As(err, &refused) {
		t.Errorf("20 raises: %v", err)
	}
	parts, _, _ := segment.New(tree, tree.Segments, false)
	if p := &parts[0]; len(parts) != 1 || p.Fits() || p.Values == 0 || p.Width != vectors.TileLanes {
		t.Errorf("a part of 20 raises has %d values in %d lanes", p.Values, p.Width)
	}
}

// With runouts and without, the same segments with decisions are a part, also where a call is all-in in some of them
// only, so that tables of one layout are those of the other.
func TestRunoutsKeepParts(t *testing.T) {
	rules := pokertest.Game(t, "holdem-nolimit-2p")
	for _, raises := range []string{"fcpa", "1/-", "20/-", "0.5,1/1/-; preflop: 3bb/3x/-"} {
		tree, want := tree(t, rules, raises), [][]betting.Segment(nil)
		for _, runouts := range []bool{false, true} {
			parts, nodes, err := segment.All(tree, runouts)
			if err != nil {
				t.Fatal(err)
			}
			var with [][]betting.Segment
			for i := range parts {
				if parts[i].Columns != [2]int{} {
					with = append(with, nodes[i].Lanes)
				}
			}
			if runouts && !slices.EqualFunc(with, want, slices.Equal) {
				t.Errorf("%s: %d parts with runouts are not the %d without", raises, len(with), len(want))
			}
			want = with
		}
	}
}
