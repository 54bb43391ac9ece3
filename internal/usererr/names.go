package usererr

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printed returns a name as text output has it: in Go's quotes if it is empty, or has blanks,
// quotes or what is not printable.
func Printed(name string) string {
	strange := func(r rune) bool { return r == ' ' || r == '"' || !unicode.IsPrint(r) }
	if name == "" || strings.ContainsFunc(name, strange) || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// Names returns n names of a list as text output has them. One that is empty, or that others in the
// list have, too, is its number, counted from 1. A name that reads as such a number is in quotes.
// Without a list, all are numbers.
func Names(list []string, n int) []string {
	count := map[string]int{"": 2}
	for _, name := range list {
		count[name]++
	}
	numbered := func(i int) bool { return list == nil || count[list[i]] > 1 }
	all := make([]string, n)
	for i := range all {
		if numbered(i) {
			all[i] = strconv.Itoa(i + 1)
			continue
		}
		all[i] = Printed(list[i])
		if number, err := strconv.Atoi(list[i]); err == nil && number >= 1 && number <= n && numbered(number-1) {
			all[i] = strconv.Quote(list[i])
		}
	}
	return all
}

// Safe returns a text in which only lines and tabs are left of what is not printable: other
// characters are escaped as in Go.
func Safe(text string) string {
	var out strings.Builder
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		if r == '\n' || r == '\t' || unicode.IsPrint(r) && (r != utf8.RuneError || n > 1) {
			out.WriteRune(r)
			continue
		}
		quoted := strconv.Quote(text[i : i+n])
		out.WriteString(quoted[1 : len(quoted)-1])
	}
	return out.String()
}
