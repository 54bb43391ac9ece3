package extensive

import "fmt"

// A RecallError is returned for a game without perfect recall: at two nodes of an
// information set the player knew or did different things before.
type RecallError struct {
	Player int
	Set    string // name of the information set
}

func (e *RecallError) Error() string {
	return fmt.Sprintf("player %d does not have perfect recall: "+
		"information set %s joins nodes before which the player knew or did different things", e.Player+1, e.Set)
}

// Sequences number the sequences of actions that each player can take, from 0 for none on.
// With perfect recall, a sequence is known by its last action.
type Sequences struct {
	Game *Game
	// Of has, by player and node, the player's sequence that leads to the node.
	Of [][]int32
	// First has the sequence of each information set's first action, that others follow.
	First []int32
	// Parent has the sequence that leads to each information set.
	Parent []int32
	// Count has the number of sequences by player.
	Count []int
	// Sets has the information sets by player.
	Sets [][]int
}

// Sequences numbers the sequences of a game. It fails with a [*RecallError] for games
// without perfect recall.
func (g *Game) Sequences() (*Sequences, error) {
	q := &Sequences{
		Game: g, Of: make([][]int32, len(g.Players)), Count: make([]int, len(g.Players)),
		Sets:  make([][]int, len(g.Players)),
		First: make([]int32, len(g.Sets)), Parent: make([]int32, len(g.Sets)),
	}
	for p := range q.Of {
		q.Of[p], q.Count[p] = make([]int32, len(g.Nodes)), 1
	}
	for i := range g.Sets {
		if s := &g.Sets[i]; s.Player != Chance {
			q.First[i] = int32(q.Count[s.Player])
			q.Count[s.Player] += len(s.Actions)
			q.Sets[s.Player] = append(q.Sets[s.Player], i)
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if i > 0 {
			for p := range q.Of {
				q.Of[p][i] = q.Of[p][n.Parent]
			}
			if set := g.Nodes[n.Parent].Set; g.Sets[set].Player != Chance {
				q.Of[g.Sets[set].Player][i] = q.First[set] + int32(n.Action)
			}
		}
		if n.Set == None || g.Sets[n.Set].Player == Chance {
			continue
		}
		s := &g.Sets[n.Set]
		switch parent := q.Of[s.Player][i]; {
		case i == s.Nodes[0]:
			q.Parent[n.Set] = parent
		case q.Parent[n.Set] != parent:
			return nil, &RecallError{Player: s.Player, Set: g.SetName(n.Set)}
		}
	}
	return q, nil
}
