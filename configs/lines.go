package configs

import (
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// keyLines has the lines, from 1, on which a TOML text sets its keys. (The decoder
// knows them but does not export them.)
type keyLines struct {
	lines  map[string]int         // line of each table and key outside of inline tables, by toml.Key.String
	arrays map[string][]tableLine // tables of each array of tables, in order
}

// tableLine has the lines of one of an array of tables.
type tableLine struct {
	header int
	keys   map[string]int // its own, not those of tables inside it
}

// scanLines finds the keys of a text that toml.Decode accepts.
func scanLines(text string) keyLines {
	l := keyLines{map[string]int{}, map[string][]tableLine{}}
	s := lineScanner{text: text, line: 1}
	set := func(key toml.Key, line int) {
		if name := key.String(); l.lines[name] == 0 {
			l.lines[name] = line
		}
	}
	var table toml.Key
	var item map[string]int // lines of the table that the scanner is in, if it is one of an array
	for s.skipBlank() {
		line := s.line
		if !s.accept("[") {
			key := s.key()
			set(append(table[:len(table):len(table)], key...), line)
			if item != nil {
				item[key.String()] = line
			}
			s.accept("=")
			s.skipValue()
			continue
		}
		array := s.accept("[")
		table, item = s.key(), nil
		set(table, line)
		if s.accept("]"); array && s.accept("]") {
			item = map[string]int{}
			name := table.String()
			l.arrays[name] = append(l.arrays[name], tableLine{line, item})
		}
	}
	return l
}

// array returns the lines of the i-th of an array of tables, none of one that is
// written in brackets.
func (l keyLines) array(name string, i int) tableLine {
	if tables := l.arrays[name]; i < len(tables) {
		return tables[i]
	}
	return tableLine{}
}

// lineScanner reads a valid TOML text.
type lineScanner struct {
	text string // the rest of the text
	line int    // line of its first byte, from 1
}

// skip skips n bytes and returns them.
func (s *lineScanner) skip(n int) string {
	skipped := s.text[:n]
	s.line += strings.Count(skipped, "\n")
	s.text = s.text[n:]
	return skipped
}

// skipWhile skips the bytes of a set.
func (s *lineScanner) skipWhile(set string) {
	s.skip(len(s.text) - len(strings.TrimLeft(s.text, set)))
}

// skipBlank skips white space and comments, and reports whether there is more text.
func (s *lineScanner) skipBlank() bool {
	for s.skipWhile(" \t\r\n"); strings.HasPrefix(s.text, "#"); s.skipWhile(" \t\r\n") {
		s.skipComment()
	}
	return s.text != ""
}

// skipComment skips the rest of the line.
func (s *lineScanner) skipComment() {
	end := strings.IndexByte(s.text, '\n')
	if end < 0 {
		end = len(s.text)
	}
	s.skip(end)
}

// accept skips blanks and then the mark, and reports whether the mark is there.
func (s *lineScanner) accept(mark string) bool {
	s.skipWhile(" \t")
	if !strings.HasPrefix(s.text, mark) {
		return false
	}
	s.skip(len(mark))
	return true
}

// key reads a dotted key.
func (s *lineScanner) key() (key toml.Key) {
	for {
		s.skipWhile(" \t")
		if quoted := s.skipString(); quoted == "" {
			end := strings.IndexAny(s.text, " \t.=]\r\n")
			if end < 0 {
				end = len(s.text)
			}
			key = append(key, s.skip(end))
		} else if part, err := strconv.Unquote(quoted); err == nil {
			key = append(key, part)
		} else {
			key = append(key, strings.TrimSuffix(quoted[1:], quoted[:1])) // a literal string, or one without its end
		}
		if !s.accept(".") {
			return key
		}
	}
}

// skipString skips a string of any of the four kinds, and returns it with its quotes, or
// "" if there is none.
func (s *lineScanner) skipString() string {
	for _, quotes := range []string{`"""`, "'''", `"`, "'"} {
		if !strings.HasPrefix(s.text, quotes) {
			continue
		}
		i := len(quotes)
		for i < len(s.text) && !strings.HasPrefix(s.text[i:], quotes) {
			if quotes[0] == '"' && s.text[i] == '\\' {
				i++
			}
			i++
		}
		for i += len(quotes); len(quotes) == 3 && i < len(s.text) && s.text[i] == quotes[0]; {
			i++ // up to two quotes may stand before the closing ones
		}
		return s.skip(min(i, len(s.text)))
	}
	return ""
}

// skipValue skips a value and the rest of its last line.
func (s *lineScanner) skipValue() {
	for depth := 0; s.text != "" && (depth > 0 || s.text[0] != '\n'); {
		switch s.text[0] {
		case '"', '\'':
			s.skipString()
		case '#':
			s.skipComment()
		case '[', '{':
			depth++
			s.skip(1)
		case ']', '}':
			depth--
			s.skip(1)
		default:
			s.skip(1)
		}
	}
}
