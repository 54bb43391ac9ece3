package usererr

import (
	"fmt"
	"strings"
)

// Word returns the first of the words with the smallest edit distance from s, and that
// distance; of no words it returns "" and the length of s.
func Word(s string, words []string) (word string, apart int) {
	apart = len(s)
	for i, w := range words {
		if d := distance(s, w); i == 0 || d < apart {
			word, apart = w, d
		}
	}
	return word, apart
}

// Meant returns the word that s was probably meant to be, or "" if none is near enough.
func Meant(s string, words []string) string {
	word, apart := Word(s, words)
	if apart > max(2, len(s)/3) {
		return ""
	}
	return word
}

// OneOf lists words for the error of one that is none of them, and says which was probably meant: "one of call, raise;
// the nearest is call".
func OneOf(s string, words []string) string {
	list := "one of " + strings.Join(words, ", ")
	if near := Meant(s, words); near != "" {
		list += "; the nearest is " + near
	}
	return list
}

// distance returns the edit distance of Levenshtein (1966): how many bytes must be
// inserted, deleted or replaced to make b of a. Upper and lower case are the same.
func distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1) // distances of a's prefix from all prefixes of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Counted returns a number with a noun in the singular or plural.
func Counted[N int | int64 | uint32 | uint64](n N, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprint(n, " ", many)
}

// Iterations is Counted of iterations.
func Iterations[N int | uint64](n N) string { return Counted(n, "iteration", "iterations") }
