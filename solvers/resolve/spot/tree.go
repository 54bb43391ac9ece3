package spot

import (
	"errors"
	"fmt"

	"gamebots/acpc"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// Action is what a player does at a decision.
type Action struct {
	Kind ActionKind
	// To is what the player has put in on the street after a bet or raise, in chips.
	To int
}

// ActionKind is a kind of Action.
type ActionKind uint8

const (
	Fold ActionKind = iota
	Check
	Call
	Bet
	Raise
)

// String returns the action as [Solution.At] reads it: f, x, c, or b or r and the chips that
// the player has then put in on the street.
func (a Action) String() string {
	letter := "fxcbr"[a.Kind : a.Kind+1]
	if a.Kind < Bet {
		return letter
	}
	return fmt.Sprint(letter, a.To)
}

// turn returns what a player has to decide, for people who type one of some actions.
func turn(actions []Action, pot, own, other, allIn int) *acpc.Turn {
	most := int32(allIn)
	t := &acpc.Turn{Pot: int64(pot), Own: int32(own), Bet: int32(max(own, other)), Most: most, AllIn: most}
	for _, a := range actions {
		kind := [...]acpc.ActionType{acpc.Fold, acpc.Call, acpc.Call, acpc.Raise, acpc.Raise}[a.Kind]
		t.Choices = append(t.Choices, acpc.Choice{Type: kind, To: int32(a.To)})
	}
	return t
}

// MaxNodes bounds the betting trees that are built.
const MaxNodes = 8_000_000

// ErrTooManyNodes is the error for a menu with too many betting sequences.
var ErrTooManyNodes = errors.New("the bets allow too many betting sequences")

// standing is the state of the betting at a decision.
type standing struct {
	put    [2]int // chips of each player since the root of the spot
	base   int    // chips of put at the start of the street
	step   int    // chips by which the last bet or raise was larger than the one before
	bets   int    // number of bets and raises on the street
	player uint8  // the player to act
	acted  bool   // whether the other player has acted on the street
	donk   bool   // whether the player in position bet last on the street before
}

// builder lists the betting sequences of a spot.
type builder struct {
	*Spot
	streets layout.Streets
	taken   [layout.NumStreets][]Action // action that leads to each node
	roots   []standing                  // where the segments of the next street begin
	nodes   int                         // number that may still be added
}

// newTree lists the betting sequences of a spot up to a street, and the actions that lead to its nodes, of which
// there may be so many.
func newTree(s *Spot, last, most int) (layout.Streets, [layout.NumStreets][]Action, error) {
	b := &builder{Spot: s, roots: []standing{{}}, nodes: most}
	var segments [layout.NumStreets][]int32 // the roots by street
	for k := s.first(); k <= last; k++ {
		roots := b.roots
		b.roots = nil
		for _, root := range roots {
			segments[k] = append(segments[k], int32(len(b.streets[k].Nodes)))
			if err := b.segment(k, root); err != nil {
				return b.streets, b.taken, err
			}
		}
	}
	b.streets.Divide(s.first(), &segments, 0, len(segments[s.first()]))
	return b.streets, b.taken, nil
}

// segment adds the nodes of a segment.
func (b *builder) segment(k int, root standing) error {
	st := &b.streets[k]
	start := len(st.Nodes)
	standings := []standing{root}
	lines := map[int][][]Action{} // what is left of those that lead to a node
	if k == b.first() {
		lines[start] = b.Lines
	}
	if b.nodes--; b.nodes < 0 {
		return ErrTooManyNodes
	}
	st.Nodes, b.taken[k] = append(st.Nodes, layout.Node{}), append(b.taken[k], Action{})
	if root.base == b.Stack {
		b.end(&st.Nodes[start], k, root)
	}
	for i := start; i < len(st.Nodes); i++ {
		if st.Nodes[i].Kind != layout.Decision {
			continue
		}
		s := standings[i-start]
		options, err := b.actionsWith(k, s, lines[i])
		if err != nil {
			return err
		}
		n := &st.Nodes[i]
		n.Actor, n.Actions, n.First = s.player, uint16(len(options)), int32(len(st.Nodes))
		n.Row, n.Order = int32(st.Rows[s.player]), int32(st.Decisions[s.player])
		st.Rows[s.player] += len(options)
		st.Decisions[s.player]++
		if b.nodes -= len(options); b.nodes < 0 {
			return ErrTooManyNodes
		}
		for _, a := range options {
			var child layout.Node
			next := b.play(&child, a, k, s)
			if rest := following(lines[i], a); rest != nil {
				lines[len(st.Nodes)] = rest
			}
			st.Nodes, b.taken[k], standings = append(st.Nodes, child), append(b.taken[k], a), append(standings, next)
		}
	}
	return nil
}

// actions returns what the player to act may do.
func (b *builder) actions(k int, s standing) []Action {
	own, other := s.put[s.player]-s.base, s.put[1-s.player]-s.base
	actions, kind := []Action{{Kind: Check}}, Bet
	if other > own {
		actions, kind = []Action{{Kind: Fold}, {Kind: Call}}, Raise
	}
	for _, to := range b.Menu.options(bettor{
		street: k, player: int(s.player), pot: b.Pot + 2*(s.base+other), bet: other, step: max(s.step, b.MinBet),
		bets: s.bets, stack: b.Stack - s.base, donk: s.donk && s.player == 0,
	}) {
		actions = append(actions, Action{kind, to})
	}
	return actions
}

// play fills the node that an action leads to, and returns the standing there.
func (b *builder) play(n *layout.Node, a Action, k int, s standing) standing {
	player, other := s.player, 1-s.player
	switch a.Kind {
	case Fold:
		n.Kind, n.Actor, n.Put = layout.Fold, player, int32(s.put[player])
		return s
	case Bet, Raise:
		s.step = s.base + a.To - s.put[other]
		s.put[player] = s.base + a.To
		s.bets++
	case Call:
		s.put[player] = s.put[other]
	}
	if a.Kind == Call || a.Kind == Check && s.acted {
		s.donk = a.Kind == Call && player == 0
		b.end(n, k, s)
		return s
	}
	s.player, s.acted = other, true
	return s
}

// end makes a node the end of a street at which both players have put in the same.
func (b *builder) end(n *layout.Node, k int, s standing) {
	n.Kind, n.Put = layout.Showdown, int32(s.put[0])
	if k < layout.River {
		n.Kind, n.First = layout.Deal, int32(len(b.roots))
		b.roots = append(b.roots, standing{put: s.put, base: s.put[0], donk: s.donk})
	}
}
