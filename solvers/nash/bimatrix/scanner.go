package bimatrix

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

// A Token is a word, a quoted text, a brace or a comma.
type Token struct {
	Text      string
	Quoted    bool
	Line, Col int
}

// End reports whether the token is the end of the text.
func (t Token) End() bool { return t.Text == "" && !t.Quoted }

// Is reports whether the token is an unquoted text.
func (t Token) Is(text string) bool { return !t.Quoted && t.Text == text }

func (t Token) String() string {
	switch {
	case t.End():
		return "the end of the file"
	case utf8.RuneCountInString(t.Text) > 40:
		return fmt.Sprintf("%q...", string([]rune(t.Text)[:40]))
	}
	return fmt.Sprintf("%q", t.Text)
}

// A Scanner splits a text into tokens.
type Scanner struct {
	Next Token // the token that Take returns

	file, text string
	line, col  int
}

// NewScanner returns a scanner of a file's text. A byte order mark is skipped.
func NewScanner(file, text string) (*Scanner, error) {
	s := &Scanner{file: file, text: strings.TrimPrefix(text, "\ufeff"), line: 1, col: 1}
	return s, s.Advance()
}

// ErrorAt returns an [*Error] with the place of a token.
func (s *Scanner) ErrorAt(t Token, format string, args ...any) error {
	return &SyntaxError{s.file, t.Line, t.Col, fmt.Sprintf(format, args...)}
}

// skip moves on by n bytes.
func (s *Scanner) skip(n int) {
	for _, r := range s.text[:n] {
		s.col++
		if r == '\n' {
			s.line, s.col = s.line+1, 1
		}
	}
	s.text = s.text[n:]
}

// Advance reads the next token.
func (s *Scanner) Advance() error {
	s.skip(len(s.text) - len(strings.TrimLeftFunc(s.text, unicode.IsSpace)))
	s.Next = Token{Line: s.line, Col: s.col}
	switch {
	case s.text == "":
	case s.text[0] == '"':
		text, n := unquote(s.text)
		if n == 0 {
			return s.ErrorAt(s.Next, "a quote that does not end")
		}
		s.Next.Text, s.Next.Quoted = text, true
		s.skip(n)
	case strings.ContainsRune("{},", rune(s.text[0])):
		s.Next.Text = s.text[:1]
		s.skip(1)
	default:
		n := strings.IndexFunc(s.text,
			func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("{},\"", r) })
		if n < 0 {
			n = len(s.text)
		}
		s.Next.Text = s.text[:n]
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

// Take returns the next token and moves on.
func (s *Scanner) Take() (Token, error) {
	t := s.Next
	return t, s.Advance()
}

// Want takes a token that must equal text. Errors name it by the parameter what.
func (s *Scanner) Want(text, what string) error {
	t, err := s.Take()
	if err == nil && !t.Is(text) {
		err = s.ErrorAt(t, "%s, not %v", what, t)
	}
	return err
}

// Quoted takes a quoted text. Errors name it by the parameter what.
func (s *Scanner) Quoted(what string) (string, error) {
	t, err := s.Take()
	if err == nil && !t.Quoted {
		err = s.ErrorAt(t, "%s in quotes is needed, not %v", what, t)
	}
	return t.Text, err
}

// Number takes a number. Errors name it by the parameter what.
func (s *Scanner) Number(what string) (*big.Rat, error) {
	t, err := s.Take()
	if err != nil {
		return nil, err
	}
	if t.End() || t.Quoted {
		return nil, s.ErrorAt(t, "%s is needed, not %v", what, t)
	}
	x, err := ParseNumber(t.Text)
	if err != nil {
		return nil, s.ErrorAt(t, "%s: %v: %v", what, t, err)
	}
	return x, nil
}

// ParseNumber parses an integer, a decimal or scientific number, or a fraction
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

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// Quote returns a text in quotes, as Gambit's formats have names.
func Quote(text string) string {
	return `"` + escape.Replace(text) + `"`
}
