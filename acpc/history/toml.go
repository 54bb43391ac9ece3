package history

import (
	"strconv"
	"strings"

	"gamebots/acpc/card"

	"github.com/BurntSushi/toml"
)

// quote returns s as a string of TOML.
func quote(s string) string {
	special := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }
	if !strings.ContainsFunc(s, special) {
		return `"` + s + `"` // nearly all, without the time that an encoder takes
	}
	var text strings.Builder
	if err := toml.NewEncoder(&text).Encode(struct{ S string }{s}); err != nil {
		panic(err) // a builder takes all, and any string is one of TOML
	}
	return strings.TrimSuffix(strings.TrimPrefix(text.String(), "S = "), "\n")
}

func list(values []string) string { return "[" + strings.Join(values, ", ") + "]" }

// texts returns a list of strings.
func texts(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	return list(quoted)
}

// numbers returns a list of chips.
func numbers(values []int32) string {
	text := make([]string, len(values))
	for i, v := range values {
		text[i] = strconv.Itoa(int(v))
	}
	return list(text)
}

func cardText(cards []card.Card) string {
	var text []byte
	for _, c := range cards {
		text = c.Append(text)
	}
	return string(text)
}
