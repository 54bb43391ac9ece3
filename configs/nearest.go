package configs

import "gamebots/internal/nearest"

// nearestWord returns the word that s was probably meant to be, or "" where none is
// near enough.
func nearestWord(s string, words []string) string {
	word, distance := nearest.Word(s, words)
	if distance > max(2, len(s)/3) {
		return ""
	}
	return word
}
