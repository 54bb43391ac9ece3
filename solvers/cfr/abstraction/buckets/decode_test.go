package buckets

import (
	"io"
	"testing"
)

// A short file cannot take the memory of more buckets than are possible.
func TestReadRoundRefuses(t *testing.T) {
	d := Deck{Suits: 4, Ranks: 13, Hole: 2, Board: []int{5}, Ranking: "acpc"}
	table := newTable(d, Recipe{Bins: maxBins, Rounds: []Round{{Feature: Histogram}}})
	for _, buckets := range []int{maxBuckets + 1, maxCoordinates/(maxBins-1) + 1} {
		zeros := new(endless)
		if err := table.readRound(zeros, 0, &roundHeader{Buckets: buckets, Dim: maxBins - 1}, false); err == nil ||
			zeros.read > 0 {
			t.Errorf("%d buckets: error %v after %d bytes", buckets, err, zeros.read)
		}
	}
}

// endless is zeros without end, up to more than a reader should take.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += len(p); e.read > 1<<24 {
		return 0, io.EOF
	}
	clear(p)
	return len(p), nil
}
