package configs

import "strings"

// nearest returns the word of a list that is the fewest edits away from s in
// either case, or "" where none is near enough to be meant.
func nearest(s string, words []string) string {
	best, word := max(2, len(s)/3)+1, ""
	for _, w := range words {
		if d := edits(strings.ToLower(s), strings.ToLower(w)); d < best {
			best, word = d, w
		}
	}
	return word
}

// edits returns how many bytes must be inserted, deleted or replaced to make b
// of a (Levenshtein's distance).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
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
