package configs

import (
	"reflect"

	"github.com/BurntSushi/toml"
)

// DefaultsFor returns the default settings of the kind that a file has most
// tables of; of a file that cannot be read those of a poker bot.
func DefaultsFor(path string) Settings {
	poker, board, arena := DefaultPoker(), DefaultBoard(), DefaultArena()
	text, err := readText(path)
	if err != nil {
		return &poker
	}
	var tables map[string]any
	best := Settings(&poker)
	if _, err := toml.Decode(text, &tables); err == nil {
		for _, s := range []Settings{&board, &arena} {
			if known(tables, s) > known(tables, best) {
				best = s
			}
		}
	}
	return best
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
