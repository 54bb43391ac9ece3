package extensive

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gamebots/solvers/nash/bimatrix"
)

// ErrTooLarge is returned for a game whose reduced normal form is too large.
var ErrTooLarge = errors.New("the reduced normal form is too large")

// Bounds of the work for a reduced normal form.
const (
	maxPlanActions = 1 << 22 // actions of all strategies of a player
	maxNames       = 1 << 24 // bytes of the names of all strategies
	maxProducts    = 1 << 27 // pairs of a leaf and a combination of strategies that leads there
)

// ReadNormalForm reads a game in normal form, see [bimatrix.ReadLarge], or the reduced normal form of
// one in Gambit's .efg format.
func ReadNormalForm(file string, text []byte) (*bimatrix.Game, error) {
	if !IsEFG(text) {
		return bimatrix.ReadLarge(file, text)
	}
	g, err := Read(file, text)
	if err != nil {
		return nil, err
	}
	return g.NormalForm()
}

// NormalForm returns the reduced normal form of one player or two, also of a game without perfect
// recall. Its strategies have actions only at the information sets to which their own actions can lead,
// and are named by them. A game of one player gets a second one who does not decide. It fails with
// ErrTooLarge, or [bimatrix.ErrPlayers].
func (g *Game) NormalForm() (*bimatrix.Game, error) {
	if len(g.Players) > 2 {
		return nil, fmt.Errorf("%d players: %w", len(g.Players), bimatrix.ErrPlayers)
	}
	f := &bimatrix.Game{Title: g.Title, Warning: g.Warning, Players: [2]string{"", "nobody"}, Rows: 1, Cols: 1}
	cells, bytes := 1, 0
	players := make([]*planner, len(g.Players))
	for player, name := range g.Players {
		p := newPlanner(g, player)
		if err := p.list(bimatrix.MaxCells/cells, maxNames-bytes); err != nil {
			return nil, err
		}
		players[player] = p
		cells, bytes = cells*len(p.names), bytes+p.bytes
		f.Players[player], f.Strategies[player] = name, p.names
		*[]*int{&f.Rows, &f.Cols}[player] = len(p.names)
	}
	for range cells {
		f.A, f.B = append(f.A, new(big.Rat)), append(f.B, new(big.Rat))
	}
	return f, g.addPayoffs(f, players)
}

// A planner lists the strategies of a player. It numbers the histories of the player's own actions,
// from 0 for none on. With perfect recall, these are the sequences of [Sequences].
type planner struct {
	game  *Game
	of    []int32      // history that leads to each node
	after [][]occasion // what follows each history, in the order of the tree

	// The strategy that is being listed.
	decided []int // action at each information set, or None
	words   []string
	passed  []int32 // the histories that it takes

	names       []string  // the strategies that are listed
	plans       [][]int32 // the histories that each of them takes
	bytes, work int
	most        int
	mostBytes   int
}

// An occasion is an information set to which a player may come after a history. Its actions lead to
// histories that are numbered from first on.
type occasion struct {
	set   int
	first int32
}

// newPlanner numbers the histories of a player.
func newPlanner(g *Game, player int) *planner {
	p := &planner{game: g, of: make([]int32, len(g.Nodes)), after: make([][]occasion, 1)}
	type key struct {
		history int32
		set     int
	}
	firsts := map[key]int32{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if i > 0 {
			up := &g.Nodes[n.Parent]
			p.of[i] = p.of[n.Parent]
			if g.Sets[up.Set].Player == player {
				p.of[i] = firsts[key{p.of[i], up.Set}] + int32(n.Action)
			}
		}
		if n.Set == None || g.Sets[n.Set].Player != player {
			continue
		}
		k := key{p.of[i], n.Set}
		if _, known := firsts[k]; !known {
			firsts[k] = int32(len(p.after))
			p.after[k.history] = append(p.after[k.history], occasion{n.Set, firsts[k]})
			p.after = append(p.after, make([][]occasion, len(g.Sets[n.Set].Actions))...)
		}
	}
	return p
}

// An agenda is a list of occasions.
type agenda struct {
	occasion
	then *agenda
}

// before returns the agenda of all occasions after a history, and then those of another agenda.
func (p *planner) before(history int32, then *agenda) *agenda {
	for _, o := range slices.Backward(p.after[history]) {
		then = &agenda{o, then}
	}
	return then
}

// list lists the strategies, unless there are too many.
func (p *planner) list(most, mostBytes int) error {
	p.most, p.mostBytes = most, mostBytes
	p.decided = slices.Repeat([]int{None}, len(p.game.Sets))
	p.passed = []int32{0}
	return p.extend(p.before(0, nil))
}

// extend lists the strategies that begin as the one at work, with each decision at the occasions of
// an agenda. Where the player has forgotten an earlier decision at the same set, it is the same.
func (p *planner) extend(next *agenda) error {
	if next == nil {
		return p.add()
	}
	set, actions := next.set, p.game.Sets[next.set].Actions
	before := p.decided[set]
	for a, name := range actions {
		if before != None && a != before {
			continue
		}
		words, history := p.words, next.first+int32(a)
		if before == None {
			p.words = append(p.words, cmp.Or(name, strconv.Itoa(a+1)))
		}
		p.decided[set], p.passed = a, append(p.passed, history)
		if err := p.extend(p.before(history, next.then)); err != nil {
			return err
		}
		p.words, p.passed = words, p.passed[:len(p.passed)-1]
	}
	p.decided[set] = before
	return nil
}

// add lists the strategy at work.
func (p *planner) add() error {
	name := strings.Join(p.words, ",")
	p.bytes, p.work = p.bytes+len(name), p.work+len(p.passed)
	if len(p.names) == p.most || p.bytes > p.mostBytes || p.work > maxPlanActions {
		return ErrTooLarge
	}
	p.names, p.plans = append(p.names, name), append(p.plans, slices.Clone(p.passed))
	return nil
}

// takenBy returns the strategies that take each history.
func (p *planner) takenBy() [][]int {
	taken := make([][]int, len(p.after))
	for i, plan := range p.plans {
		for _, history := range plan {
			taken[history] = append(taken[history], i)
		}
	}
	return taken
}

// addPayoffs adds the payoffs of each leaf to the cells that lead there.
func (g *Game) addPayoffs(f *bimatrix.Game, players []*planner) error {
	taken := make([][][]int, len(players))
	for player, p := range players {
		taken[player] = p.takenBy()
	}
	products := 0
	chance := make([]*big.Rat, len(g.Nodes))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		chance[i] = one
		if n.Parent != None {
			chance[i] = chance[n.Parent]
			if s := &g.Sets[g.Nodes[n.Parent].Set]; s.Player == Chance {
				chance[i] = new(big.Rat).Mul(chance[i], s.Probabilities[n.Action])
			}
		}
		if n.Outcome == None {
			continue
		}
		cells := []int{0}
		for player, p := range players {
			plans, stride := taken[player][p.of[i]], []int{f.Cols, 1}[player]
			if products += len(cells) * len(plans); products > maxProducts {
				return ErrTooLarge
			}
			var next []int
			for _, s := range plans {
				for _, c := range cells {
					next = append(next, c+stride*s)
				}
			}
			cells = next
		}
		for p, x := range g.Outcomes[n.Outcome].Payoffs {
			x = new(big.Rat).Mul(x, chance[i])
			to := [][]*big.Rat{f.A, f.B}[p]
			for _, c := range cells {
				to[c].Add(to[c], x)
			}
		}
	}
	return nil
}
