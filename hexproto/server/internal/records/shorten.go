package records

import (
	"encoding/json"
	"strings"
)

const (
	longOption = 128 // bytes of an option in JSON that lists show whole
	longLine   = 60  // characters of the line that they show of a longer text
)

// Shorten returns the options of a game as lists show them, and whether they are cut: a long text
// to its first line, and any other long value to nothing.
func Shorten(options json.RawMessage) (short json.RawMessage, cut bool) {
	if len(options) <= longOption {
		return options, false
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(options, &all) != nil {
		return json.RawMessage("{}"), true
	}
	for name, value := range all {
		if len(value) <= longOption {
			continue
		}
		cut = true
		delete(all, name)
		var text string
		if json.Unmarshal(value, &text) == nil {
			line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
			if runes := []rune(line); len(runes) > longLine {
				line = string(runes[:longLine])
			}
			all[name], _ = json.Marshal(line + "…") // a text always can be
		}
	}
	if !cut {
		return options, false
	}
	short, _ = json.Marshal(all) // values that were decoded always can be
	return short, true
}
