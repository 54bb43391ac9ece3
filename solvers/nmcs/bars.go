package nmcs

import (
	"fmt"
	"slices"
	"strings"
)

// Bars draws a line with a bar for each score of a histogram, the lowest first, or for several
// consecutive scores if there are too many.
func Bars(bins []Bin) string {
	const longest, maxLines = 50, 40 // characters of a bar, and lines
	if len(bins) == 0 {
		return ""
	}
	last := bins[len(bins)-1].Score
	step := (last-bins[0].Score)/maxLines + 1
	lines := make([]uint64, (last-bins[0].Score)/step+1) // from the highest down
	for _, b := range bins {
		lines[(last-b.Score)/step] += b.Runs
	}
	maxRuns := slices.Max(lines)
	var text strings.Builder
	for i, runs := range slices.Backward(lines) {
		high := last - i*step
		scores := fmt.Sprint(high)
		if step > 1 {
			scores = fmt.Sprintf("%d-%d", high-step+1, high)
		}
		if runs > 0 {
			fmt.Fprintf(&text, "%9s %9d  %s\n", scores, runs,
				strings.Repeat("#", int((runs*longest+maxRuns-1)/maxRuns)))
		}
	}
	return text.String()
}
