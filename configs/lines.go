package configs

import (
	"regexp"
	"strings"
)

// keyLines has the lines, from 1, on which a TOML text sets its keys. (The decoder
// knows them but does not export them.) A key in quotes, which no setting needs, has none.
type keyLines struct {
	lines  map[string]int         // line of each table and key outside of inline tables
	arrays map[string][]tableLine // tables of each array of tables, in order
}

// tableLine has the lines of one of an array of tables.
type tableLine struct {
	header int
	keys   map[string]int // its own, not those of tables inside it
}

var (
	// prose finds strings and comments, in which there are no keys. Up to two quotes may stand before
	// three closing ones.
	prose = regexp.MustCompile(`(?s)"""(?:\\.|[^\\])*?"{3,5}|'''.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'|#[^\n]*`)
	// keyLine finds the brackets and the name of a header, or else a key.
	keyLine = regexp.MustCompile(`^\s*(?:(\[\[?)\s*([A-Za-z][\w.-]*)\s*\]|([A-Za-z][\w.-]*)\s*=)`)
)

// scanLines finds the keys of a text that toml.Decode accepts.
func scanLines(text string) keyLines {
	l := keyLines{map[string]int{}, map[string][]tableLine{}}
	text = prose.ReplaceAllStringFunc(text, func(s string) string {
		return strings.Repeat("\n", strings.Count(s, "\n"))
	})
	table, number := "", 0
	var item map[string]int // lines of the table that the line is in, if it is one of an array
	for line := range strings.Lines(text) {
		number++
		m := keyLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		brackets, name, key := m[1], m[2], m[3]
		if brackets != "" {
			table, item = name, nil
		} else if name = key; table != "" {
			name = table + "." + key
		}
		if brackets == "[[" {
			item = map[string]int{}
			l.arrays[table] = append(l.arrays[table], tableLine{number, item})
		} else if item != nil {
			item[key] = number
		}
		if l.lines[name] == 0 {
			l.lines[name] = number
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
