package havannah

import (
	"errors"
	"fmt"
	"strings"
)

// sgf reads the main lines of SGF's game trees.
type sgf struct{ rest string }

// property is a key of a node with its values, at least one.
type property struct {
	key    string
	values []string
}

var errEnd = errors.New("no game")

// tree reads one game tree: the nodes of its main line, at least one. It returns
// errEnd if only space is left.
func (s *sgf) tree() ([][]property, error) {
	s.blanks()
	if s.rest == "" {
		return nil, errEnd
	}
	if !s.cut("(") {
		return nil, fmt.Errorf("%.10q is where a game should begin", s.rest)
	}
	var nodes [][]property
	main, depth := true, 1
	for depth > 0 {
		s.blanks()
		switch {
		case s.cut("("):
			depth++
		case s.cut(")"):
			depth--
			main = false // later branches are variations
		case s.cut(";"):
			node, err := s.node()
			if err != nil {
				return nil, err
			}
			if main {
				nodes = append(nodes, node)
			}
		case s.rest == "":
			return nil, errors.New("the game is not closed")
		default:
			return nil, fmt.Errorf("%.10q is not a node", s.rest)
		}
	}
	if len(nodes) == 0 {
		return nil, errors.New("the game has no node")
	}
	return nodes, nil
}

// node reads the properties of a node.
func (s *sgf) node() (node []property, err error) {
	for {
		s.blanks()
		n := 0
		for n < len(s.rest) && 'A' <= s.rest[n] && s.rest[n] <= 'Z' {
			n++
		}
		if n == 0 {
			return node, nil
		}
		p := property{key: s.rest[:n]}
		s.rest = s.rest[n:]
		for s.blanks(); s.cut("["); s.blanks() {
			value, err := s.value()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.key, err)
			}
			p.values = append(p.values, value)
		}
		if p.values == nil {
			return nil, fmt.Errorf("%s: no value", p.key)
		}
		node = append(node, p)
	}
}

// value reads up to the closing bracket.
func (s *sgf) value() (string, error) {
	var value []byte
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == ']':
			s.rest = s.rest[i+1:]
			return string(value), nil
		case c == '\\' && i+1 < len(s.rest):
			i++
			value = append(value, s.rest[i])
		default:
			value = append(value, c)
		}
	}
	return "", errors.New("the value is not closed")
}

func (s *sgf) blanks() { s.rest = strings.TrimLeft(s.rest, " \t\r\n\ufeff") }

func (s *sgf) cut(mark string) (ok bool) {
	s.rest, ok = strings.CutPrefix(s.rest, mark)
	return ok
}
