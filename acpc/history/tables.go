package history

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"gamebots/acpc"
)

// maxHand limits the bytes of a hand's text: an unclosed string would swallow the rest of
// a file of any size.
const maxHand = 1 << 20

// table is the text of one hand: a whole file, or one table of it.
type table struct {
	text string
	line int // number of its first line
	// keys has the line of each key, strings the lines of the strings in its value.
	keys    map[string]int
	strings map[string][]int
}

// tables splits a file into tables, so that a file of any length takes little memory.
// It follows strings and brackets, so that nothing in them is taken for a table
// header, and records the lines of keys and strings.
type tables struct {
	in   *bufio.Reader
	line int // read so far
	eof  bool
	any  bool // a table header was seen
}

// next returns the next table that is not empty, or io.EOF.
func (t *tables) next() (table, error) {
	for !t.eof {
		one, err := t.read()
		if err != nil {
			return table{}, err
		}
		if len(one.keys) > 0 || one.text != "" && t.any {
			return one, nil
		}
	}
	return table{}, io.EOF
}

// read reads up to the next table header or the end of the file.
func (t *tables) read() (table, error) {
	one := table{line: t.line + 1, keys: map[string]int{}, strings: map[string][]int{}}
	var text strings.Builder
	lex := lexer{table: &one}
	for {
		line, err := acpc.ReadLine(t.in)
		if err == io.EOF {
			t.eof = true
			if line == "" {
				break
			}
		} else if err != nil {
			return one, fmt.Errorf("line %d: %w", t.line+1, err)
		}
		t.line++
		if lex.outside() && isHead(line) {
			first := !t.any
			t.any = true
			if first && len(one.keys) == 0 {
				one.line = t.line + 1
				text.Reset()
				continue
			}
			break
		}
		text.WriteString(line)
		if text.Len() > maxHand {
			return one, fmt.Errorf("line %d: more than %d bytes without an end of the hand", one.line, maxHand)
		}
		lex.scan(line, t.line)
	}
	one.text = text.String()
	if lex.quote != "" && t.eof {
		return one, fmt.Errorf("line %d: a string that begins here is not closed", lex.began)
	}
	if lex.depth > 0 && t.eof {
		return one, fmt.Errorf("line %d: a bracket is not closed", lex.began)
	}
	return one, nil
}

// isHead reports whether a line is a table header, such as [12].
func isHead(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "[") }

// lexer follows strings and brackets through the lines of a table.
type lexer struct {
	table *table
	key   string // key whose value is being read
	quote string // opening quote of the string being read, or ""
	depth int    // nesting of brackets
	began int    // the line of the string or of the outermost bracket
}

// outside reports whether a key or a header may begin.
func (l *lexer) outside() bool { return l.quote == "" && l.depth == 0 }

func (l *lexer) scan(line string, number int) {
	if l.outside() {
		if key, _, ok := strings.Cut(line, "="); ok && !strings.Contains(key, "#") {
			l.key = strings.Trim(key, " \t\"'")
			l.table.keys[l.key] = number
			line = line[len(key)+1:]
		}
	}
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		switch {
		case l.quote == "":
			switch {
			case rest[0] == '#':
				return
			case rest[0] == '[' || rest[0] == '{':
				if l.depth == 0 {
					l.began = number
				}
				l.depth++
			case (rest[0] == ']' || rest[0] == '}') && l.depth > 0:
				l.depth--
			default:
				i += l.open(rest, number)
			}
		case l.quote[0] == '"' && rest[0] == '\\':
			i++
		case strings.HasPrefix(rest, l.quote):
			i += len(l.quote) - 1
			l.quote = ""
		}
	}
	if len(l.quote) == 1 {
		l.quote = "" // an unclosed string, an error of the decoder
	}
}

// open begins a string at a quote, and returns the length of the quote less 1, or 0 where
// there is none.
func (l *lexer) open(rest string, number int) int {
	for _, quote := range []string{`"""`, "'''", `"`, "'"} {
		if strings.HasPrefix(rest, quote) {
			l.quote = quote
			if l.depth == 0 {
				l.began = number
			}
			l.table.strings[l.key] = append(l.table.strings[l.key], number)
			return len(quote) - 1
		}
	}
	return 0
}

// keyLine returns the line of a key, or of the string i of its value; i is -1 for
// the key itself.
func (t *table) keyLine(key string, i int) int {
	if lines := t.strings[key]; i >= 0 && i < len(lines) {
		return lines[i]
	}
	if line, ok := t.keys[key]; ok {
		return line
	}
	return t.line
}

// keyError is an error in the value of a key.
type keyError struct {
	key  string
	item int // the index of a string in the value, or -1
	err  error
}

func (e *keyError) Error() string {
	if e.item >= 0 {
		return fmt.Sprintf("%s, item %d: %v", e.key, e.item+1, e.err)
	}
	return fmt.Sprintf("%s: %v", e.key, e.err)
}

func (e *keyError) Unwrap() error { return e.err }

// lineOf returns the line of an error in the table.
func (t *table) lineOf(err error) int {
	if at := (*keyError)(nil); errors.As(err, &at) {
		return t.keyLine(at.key, at.item)
	}
	return t.line
}
