// Package names writes names that people have given to players, strategies or files, so that a
// reader can tell them apart and a terminal shows nothing but text.
package names

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

// Of returns a name of a list as text output has it. One that is empty, or that others in the
// list have, too, is its number, counted from 1. A name that reads as such a number is in quotes.
// Without names, all are numbers.
func Of(list []string, i int) string {
	if list == nil {
		return strconv.Itoa(i + 1)
	}
	return of(list, i, func(i int) bool {
		for j, name := range list {
			if name == list[i] && j != i {
				return false
			}
		}
		return true
	})
}

// All returns what Of does for each name of a list.
func All(list []string) []string {
	count := map[string]int{}
	for _, name := range list {
		count[name]++
	}
	all := make([]string, len(list))
	for i := range list {
		all[i] = of(list, i, func(i int) bool { return count[list[i]] == 1 })
	}
	return all
}

// of is Of. unique reports whether an item of the list has a name of its own.
func of(list []string, i int, unique func(i int) bool) string {
	numbered := func(i int) bool { return list[i] == "" || !unique(i) }
	if numbered(i) {
		return strconv.Itoa(i + 1)
	}
	if n, err := strconv.Atoi(list[i]); err == nil && n >= 1 && n <= len(list) && numbered(n-1) {
		return strconv.Quote(list[i])
	}
	return Printed(list[i])
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
