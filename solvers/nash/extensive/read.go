package extensive

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"gamebots/solvers/nash/bimatrix"
)

// IsEFG reports whether a text begins as Gambit's extensive games do.
func IsEFG(text []byte) bool {
	s, err := bimatrix.NewScanner("", string(text[:min(len(text), 64)]))
	return err == nil && s.Next.Is("EFG")
}

// Read parses a text in Gambit's .efg format, with up to [MaxPlayers] players. Errors
// are of type [*bimatrix.SyntaxError].
func Read(file string, text []byte) (*Game, error) {
	s, err := bimatrix.NewScanner(file, string(text))
	if err != nil {
		return nil, err
	}
	r := &reader{Scanner: s, file: file, game: &Game{}, sets: map[setKey]int{}, outcomes: map[int]int{}}
	if err := r.prologue(); err != nil {
		return nil, err
	}
	if err := r.nodes(); err != nil {
		return nil, err
	}
	r.game.finish()
	return r.game, nil
}

// A reader reads a game. The numbers of a file are keys to those of the game.
type reader struct {
	*bimatrix.Scanner
	file     string
	game     *Game
	sets     map[setKey]int
	outcomes map[int]int
}

type setKey struct{ player, number int }

// prologue reads all before the first node.
func (r *reader) prologue() error {
	if err := r.Want("EFG", "an extensive game begins with EFG"); err != nil {
		return err
	}
	if err := r.Want("2", "version 2 is needed"); err != nil {
		return err
	}
	t, err := r.Take()
	switch {
	case err != nil:
		return err
	case !t.Is("R") && !t.Is("D"):
		return r.ErrorAt(t, "R or D is needed, for rational or decimal numbers, not %v", t)
	}
	if r.game.Title, err = r.Quoted("a title"); err != nil {
		return err
	}
	if err := r.Want("{", "players in braces are needed"); err != nil {
		return err
	}
	for !r.Next.Is("}") {
		if len(r.game.Players) == MaxPlayers {
			return r.ErrorAt(r.Next, "more than %d players", MaxPlayers)
		}
		name, err := r.Quoted("a player's name")
		if err != nil {
			return err
		}
		r.game.Players = append(r.game.Players, name)
	}
	if len(r.game.Players) == 0 {
		return r.ErrorAt(r.Next, "no players")
	}
	if err := r.Advance(); err != nil {
		return err
	}
	if r.Next.Quoted {
		r.game.Comment, err = r.Quoted("a comment")
	}
	return err
}

// nodes reads the tree. It keeps the decisions that lack children on a stack.
func (r *reader) nodes() error {
	g := r.game
	var open []int
	for first := true; first || len(open) > 0; first = false {
		if err := g.room(); err != nil {
			return r.ErrorAt(r.Next, "%v", err)
		}
		parent := None
		if len(open) > 0 {
			parent = open[len(open)-1]
		}
		i, err := r.node(parent)
		if err != nil {
			return err
		}
		if g.Nodes[i].Set != None {
			open = append(open, i)
		}
		for len(open) > 0 {
			last := &g.Nodes[open[len(open)-1]]
			if len(last.Children) < len(g.Sets[last.Set].Actions) {
				break
			}
			open = open[:len(open)-1]
		}
	}
	if !r.Next.End() {
		return r.ErrorAt(r.Next, "%v after the last node", r.Next)
	}
	return nil
}

// node reads a node.
func (r *reader) node(parent int) (int, error) {
	t, err := r.Take()
	if err != nil {
		return 0, err
	}
	if !t.Is("c") && !t.Is("p") && !t.Is("t") {
		return 0, r.ErrorAt(t, "a node of kind c, p or t is needed, not %v", t)
	}
	n := Node{Parent: parent, Set: None}
	if n.Name, err = r.Quoted("a node's name"); err != nil {
		return 0, err
	}
	switch player := Chance; t.Text {
	case "p":
		number, err := r.index("a player's number", 1, len(r.game.Players))
		if err != nil {
			return 0, err
		}
		player = number - 1
		fallthrough
	case "c":
		if n.Set, err = r.set(player); err != nil {
			return 0, err
		}
	}
	if n.Outcome, err = r.outcome(); err != nil {
		return 0, err
	}
	return r.game.add(n), nil
}

// index takes a whole number within bounds.
func (r *reader) index(what string, least, most int) (int, error) {
	t, err := r.Take()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(t.Text, 10, 31)
	if err != nil || t.Quoted || int(n) < least || int(n) > most {
		return 0, r.ErrorAt(t, "%s, %d to %d, is needed, not %v", what, least, most, t)
	}
	return int(n), nil
}

// maxNumber is the largest number of an information set or an outcome.
const maxNumber = 1<<31 - 1

// set reads the number of an information set, and its description if there is one. The
// same set may be described several times.
func (r *reader) set(player int) (int, error) {
	at := r.Next
	number, err := r.index("the number of an information set", 1, maxNumber)
	if err != nil {
		return 0, err
	}
	key := setKey{player, number}
	known, isKnown := r.sets[key]
	switch {
	case r.Next.Is("{"):
		return 0, r.ErrorAt(r.Next, `a name is needed before the actions of information set %d; it may be ""`, number)
	case !r.Next.Quoted && !isKnown:
		return 0, r.ErrorAt(at, "information set %d was not described before", number)
	case !r.Next.Quoted:
		return known, nil
	}
	at = r.Next
	s, err := r.description(player)
	switch {
	case err != nil:
		return 0, err
	case isKnown:
		if !sameSet(&r.game.Sets[known], &s) {
			return 0, r.ErrorAt(at, "information set %d was described otherwise before", number)
		}
		return known, nil
	}
	r.sets[key] = len(r.game.Sets)
	r.game.Sets = append(r.game.Sets, s)
	return r.sets[key], nil
}

// description reads the name and the actions of an information set.
func (r *reader) description(player int) (Set, error) {
	s := Set{Player: player}
	var err error
	if s.Name, err = r.Quoted("the name of an information set"); err != nil {
		return s, err
	}
	start := r.Next
	if err := r.Want("{", "actions in braces are needed"); err != nil {
		return s, err
	}
	var texts []string // the probabilities as they are written
	for !r.Next.Is("}") {
		name, err := r.Quoted("an action's name")
		if err != nil {
			return s, err
		}
		s.Actions = append(s.Actions, name)
		if player != Chance {
			continue
		}
		texts = append(texts, r.Next.Text)
		p, err := r.Number("a probability")
		if err != nil {
			return s, err
		}
		s.Probabilities = append(s.Probabilities, p)
	}
	if len(s.Actions) == 0 {
		return s, r.ErrorAt(r.Next, "an information set without actions")
	}
	if player == Chance {
		var note string
		if s.Probabilities, note, err = exact(s.Probabilities, texts); err != nil {
			return s, r.ErrorAt(start, "%v", err)
		}
		if note != "" && r.game.Warning == nil {
			r.game.Warning = &bimatrix.Warning{File: r.file, Line: start.Line, Col: start.Col, Text: note}
		}
	}
	return s, r.Advance()
}

// outcome reads the number of an outcome, and its description if there is one.
func (r *reader) outcome() (int, error) {
	at := r.Next
	number, err := r.index("the number of an outcome", 0, maxNumber)
	if err != nil {
		return 0, err
	}
	known, isKnown := r.outcomes[number]
	described := r.Next.Quoted
	switch {
	case r.Next.Is("{"):
		return 0, r.ErrorAt(r.Next, `a name is needed before the payoffs of outcome %d; it may be ""`, number)
	case number == 0 && described:
		return 0, r.ErrorAt(r.Next, "outcome 0 has no name and no payoffs")
	case number == 0:
		return None, nil
	case !described && !isKnown:
		return 0, r.ErrorAt(at, "outcome %d was not described before", number)
	case !described:
		return known, nil
	}
	at = r.Next
	o, err := r.payoffs()
	switch {
	case err != nil:
		return 0, err
	case isKnown:
		if before := &r.game.Outcomes[known]; before.Name != o.Name || !sameNumbers(before.Payoffs, o.Payoffs) {
			return 0, r.ErrorAt(at, "outcome %d was described otherwise before", number)
		}
		return known, nil
	}
	r.outcomes[number] = len(r.game.Outcomes)
	r.game.Outcomes = append(r.game.Outcomes, o)
	return r.outcomes[number], nil
}

// payoffs reads the name and the payoffs of an outcome.
func (r *reader) payoffs() (Outcome, error) {
	var o Outcome
	var err error
	if o.Name, err = r.Quoted("an outcome's name"); err != nil {
		return o, err
	}
	if err := r.Want("{", "payoffs in braces are needed"); err != nil {
		return o, err
	}
	for p := range r.game.Players {
		x, err := r.Number(fmt.Sprintf("a payoff of player %d", p+1))
		if err != nil {
			return o, err
		}
		o.Payoffs = append(o.Payoffs, x)
		if r.Next.Is(",") {
			if err := r.Advance(); err != nil {
				return o, err
			}
		}
	}
	return o, r.Want("}", fmt.Sprintf("an outcome of %d players ends with a brace", len(o.Payoffs)))
}

func sameSet(a, b *Set) bool {
	return a.Name == b.Name && slices.Equal(a.Actions, b.Actions) && sameNumbers(a.Probabilities, b.Probabilities)
}

func sameNumbers(a, b []*big.Rat) bool {
	return slices.EqualFunc(a, b, func(x, y *big.Rat) bool { return x.Cmp(y) == 0 })
}
