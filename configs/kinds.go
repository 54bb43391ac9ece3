package configs

import (
	"reflect"
	"slices"

	"github.com/BurntSushi/toml"
)

// kind is a kind of settings.
type kind struct {
	of       string // the thing that they configure
	command  string // the command that reads them
	defaults func() Settings
}

// kinds are the kinds of settings files; the first is that of a file of no known
// tables.
var kinds = []kind{
	{"a poker bot", "gamebots play acpc", func() Settings { s := DefaultPoker(); return &s }},
	{"a board-game bot", "gamebots play hex", func() Settings { s := DefaultBoardBot(); return &s }},
	{"a bot at Abstract Play", "gamebots play abstractplay",
		func() Settings { s := DefaultAbstractPlay(); return &s }},
	{"a run of the arena", "gamebots arena run", func() Settings { s := DefaultArena(); return &s }},
	{"a card abstraction", "gamebots abstract", func() Settings { s := DefaultAbstraction(); return &s }},
	{"a menu of raises", "gamebots train", func() Settings { return new(Menu) }},
	{"a spot", "gamebots solve poker --spot", func() Settings { s := DefaultSpot(); return &s }},
}

// DefaultsFor returns the default settings of the kind that shares the most tables with
// a file, and what they configure, as "a poker bot"; for a file that cannot be read they are those of one.
func DefaultsFor(path string) (s Settings, of string) {
	text, _ := readText(path)
	k := kindOf(tablesIn(text))
	return k.defaults(), k.of
}

// kindOf returns the kind that has the most of some tables.
func kindOf(tables map[string]any) kind {
	return slices.MaxFunc(kinds, func(a, b kind) int {
		return known(tables, a.defaults()) - known(tables, b.defaults())
	})
}

// misplaced returns an error if another kind of settings has more tables of a text than
// the kind that it was read for.
func misplaced(path, text string, into Settings) error {
	tables := tablesIn(text)
	if tables["experiment"] != nil {
		return &Error{File: path, Msg: "experiments went with 0.3.0 (the last commit with them is 5b68c516)"}
	}
	other := kindOf(tables)
	if known(tables, other.defaults()) <= known(tables, into) {
		return nil
	}
	return &Error{File: path, Msg: "has the settings of " + other.of + ", which " + other.command + " reads"}
}

// tablesIn returns the tables of a text, none if it is not TOML.
func tablesIn(text string) (tables map[string]any) {
	if _, err := toml.Decode(text, &tables); err != nil {
		return nil
	}
	return tables
}

// known counts the tables that settings have.
func known(tables map[string]any, s Settings) int {
	n := 0
	for t := range reflect.TypeOf(s).Elem().Fields() {
		if _, ok := tables[t.Tag.Get("toml")]; ok {
			n++
		}
	}
	return n
}
