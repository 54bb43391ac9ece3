package history

import (
	"strconv"
	"strings"

	"gamebots/acpc/card"
)

// quote returns s as a string of TOML.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			b.WriteString(`\u00`)
			b.WriteString(strconv.FormatInt(int64(r)+0x100, 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
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
