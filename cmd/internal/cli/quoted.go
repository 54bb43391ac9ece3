package cli

import (
	"strings"
	"unicode"
)

// CommandLine returns the words of a command line for a shell.
func CommandLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quoted(word)
	}
	return strings.Join(quoted, " ")
}

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
