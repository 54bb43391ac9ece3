package configs

import (
	"reflect"

	"github.com/BurntSushi/toml"
)

// readers are what reads settings of some type.
var readers = map[reflect.Type]string{
	reflect.TypeFor[*Poker](): "a poker bot, which gamebots play acpc reads",
	reflect.TypeFor[*Board](): "a bot of board games, which gamebots play hex reads",
	reflect.TypeFor[*Arena](): "a run of the arena, which gamebots arena run reads",
}

// DefaultsFor returns the default settings of the kind that a file has most
// tables of; of a file that cannot be read those of a poker bot.
func DefaultsFor(path string) Settings {
	text, _ := readText(path)
	return defaultsOf(tablesIn(text))
}

// defaultsOf returns the default settings of the kind that has most of some tables.
func defaultsOf(tables map[string]any) Settings {
	poker, board, arena := DefaultPoker(), DefaultBoard(), DefaultArena()
	best := Settings(&poker)
	for _, s := range []Settings{&board, &arena} {
		if known(tables, s) > known(tables, best) {
			best = s
		}
	}
	return best
}

// misplaced returns the error of a file that was read for some settings and has
// more of others.
func misplaced(path, text string, into Settings) error {
	tables := tablesIn(text)
	other := defaultsOf(tables)
	if known(tables, other) <= known(tables, into) {
		return nil
	}
	return &Error{File: path, Msg: "has the settings of " + readers[reflect.TypeOf(other)]}
}

// tablesIn returns what a text has, nothing if it is none of TOML's.
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
