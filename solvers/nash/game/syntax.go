package game

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A SyntaxError is returned for text that is not a game, with the place.
type SyntaxError struct {
	File      string
	Line, Col int // from 1; columns count characters
	Message   string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
}

// The largest length of a number and its largest exponent: larger numbers are mistakes
// and would take much memory.
const (
	maxDigits   = 300
	maxExponent = 300
)

// A token is a word, a quoted text, a brace or a comma.
type token struct {
	text      string
	quoted    bool
	line, col int
}

// end reports whether the token is the end of the text.
func (t token) end() bool { return t.text == "" && !t.quoted }

func (t token) is(text string) bool { return !t.quoted && t.text == text }

func (t token) String() string {
	switch {
	case t.end():
		return "the end of the file"
	case utf8.RuneCountInString(t.text) > 40:
		return fmt.Sprintf("%q...", string([]rune(t.text)[:40]))
	}
	return fmt.Sprintf("%q", t.text)
}

// A scanner splits a text into tokens.
type scanner struct {
	file, text string
	line, col  int
	next       token
}

func newScanner(file, text string) (*scanner, error) {
	s := &scanner{file: file, text: text, line: 1, col: 1}
	return s, s.advance()
}

func (s *scanner) errorAt(t token, format string, args ...any) error {
	return &SyntaxError{s.file, t.line, t.col, fmt.Sprintf(format, args...)}
}

// skip moves on by n bytes.
func (s *scanner) skip(n int) {
	for _, r := range s.text[:n] {
		s.col++
		if r == '\n' {
			s.line, s.col = s.line+1, 1
		}
	}
	s.text = s.text[n:]
}

// advance reads the next token.
func (s *scanner) advance() error {
	s.skip(len(s.text) - len(strings.TrimLeftFunc(s.text, unicode.IsSpace)))
	s.next = token{line: s.line, col: s.col}
	switch {
	case s.text == "":
	case s.text[0] == '"':
		text, n := unquote(s.text)
		if n == 0 {
			return s.errorAt(s.next, "a quote that does not end")
		}
		s.next.text, s.next.quoted = text, true
		s.skip(n)
	case strings.ContainsRune("{},", rune(s.text[0])):
		s.next.text = s.text[:1]
		s.skip(1)
	default:
		n := strings.IndexFunc(s.text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("{},\"", r) })
		if n < 0 {
			n = len(s.text)
		}
		s.next.text = s.text[:n]
		s.skip(n)
	}
	return nil
}

// unquote parses a quoted text, in which quotes and backslashes are escaped by a
// backslash. It returns the length in bytes too, 0 if the text does not end.
func unquote(text string) (string, int) {
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return out.String(), i + 1
		case c == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			out.WriteByte(text[i])
		default:
			out.WriteByte(c)
		}
	}
	return "", 0
}

// take returns the next token and moves on.
func (s *scanner) take() (token, error) {
	t := s.next
	return t, s.advance()
}

// want takes a token that must equal text.
func (s *scanner) want(text, what string) error {
	t, err := s.take()
	if err == nil && !t.is(text) {
		err = s.errorAt(t, "%s, not %v", what, t)
	}
	return err
}

// quoted takes a quoted text. Errors name it by the parameter what.
func (s *scanner) quoted(what string) (string, error) {
	t, err := s.take()
	if err == nil && !t.quoted {
		err = s.errorAt(t, "%s in quotes is needed, not %v", what, t)
	}
	return t.text, err
}

// number takes a payoff. Errors name it by the parameter what.
func (s *scanner) number(what string) (*big.Rat, error) {
	t, err := s.take()
	if err != nil {
		return nil, err
	}
	if t.end() || t.quoted {
		return nil, s.errorAt(t, "%s is needed, not %v", what, t)
	}
	x, err := ParseNumber(t.text)
	if err != nil {
		return nil, s.errorAt(t, "%s: %v: %v", what, t, err)
	}
	return x, nil
}

// ParseNumber parses a payoff: an integer, a decimal or scientific number, or a fraction
// of integers.
func ParseNumber(text string) (*big.Rat, error) {
	if len(text) > maxDigits {
		return nil, fmt.Errorf("a number of more than %d characters", maxDigits)
	}
	if strings.Trim(text, "0123456789+-./eE") != "" {
		return nil, errNoNumber
	}
	if above, below, fraction := strings.Cut(text, "/"); fraction {
		num, ok := new(big.Int).SetString(above, 10)
		den, ok2 := new(big.Int).SetString(below, 10)
		switch {
		case !ok || !ok2:
			return nil, errors.New("not a fraction of whole numbers")
		case den.Sign() == 0:
			return nil, errors.New("a denominator of 0")
		}
		return new(big.Rat).SetFrac(num, den), nil
	}
	if _, exponent, scientific := strings.Cut(strings.ToLower(text), "e"); scientific {
		e, err := strconv.Atoi(exponent)
		if errors.Is(err, strconv.ErrRange) || err == nil && (e > maxExponent || e < -maxExponent) {
			return nil, fmt.Errorf("an overflow: exponents go up to %d", maxExponent)
		}
	}
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, errNoNumber
	}
	return x, nil
}

var errNoNumber = errors.New("not a number")
