package cli

import (
	"strings"
	"unicode"
)

// Quoted quotes an argument for a shell, where it has to be.
func Quoted(argument string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`_./-+:\`, r)
	}
	if argument != "" && strings.IndexFunc(argument, special) < 0 {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}
