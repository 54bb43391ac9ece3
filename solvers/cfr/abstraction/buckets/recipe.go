package buckets

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
)

// Feature is what the hands of a round are compared by.
type Feature string

const (
	// Hands compares nothing: hands share a bucket only where a renaming of the suits
	// turns one into the other. It forgets in which round a board card came.
	Hands Feature = "hands"
	// Histogram compares how often each strength occurs on the full board, over all
	// cards to come, by the earth mover's distance. A strength is the part of the other
	// hands that a hand beats.
	Histogram Feature = "histogram"
	// OCHS compares the strengths against clusters of the opponent's hole cards on a
	// full board, by the Euclidean distance: opponent cluster hand strength (Johanson et
	// al., "Evaluating state-space abstractions in extensive-form games", AAMAS 2013).
	OCHS Feature = "ochs"
	// Given is for buckets from a table, see [ReadCSV].
	Given Feature = "given"
)

// Round is the recipe of a round's buckets.
type Round struct {
	Feature Feature `json:"feature"`
	// Buckets is how many buckets k-means makes; hands that are equal by the feature
	// may need fewer.
	Buckets int `json:"buckets,omitempty"`
}

// Recipe describes buckets for all rounds of a game. The same recipe makes the same
// buckets on every machine.
type Recipe struct {
	Name       string `json:"name"`
	Seed       uint64 `json:"seed"`
	Restarts   int    `json:"restarts,omitempty"`   // attempts of k-means
	Iterations int    `json:"iterations,omitempty"` // steps of k-means at most
	// Sample is about how many hands k-means looks at in a round, drawn in proportion to
	// how often they are dealt; 0 is all.
	Sample int `json:"sample,omitempty"`
	Bins   int `json:"bins,omitempty"` // bins of a histogram
	// Clusters is the number of clusters of hole cards for OCHS. They are made by k-means
	// of the histograms before the first board card.
	Clusters int `json:"clusters,omitempty"`
	// PerfectRecall makes a bucket of a bucket of the round before and one of its own
	// round.
	PerfectRecall bool    `json:"perfect_recall,omitempty"`
	Rounds        []Round `json:"rounds"`
}

const (
	maxBins = 256
	// minSample makes sure that some hands are drawn.
	minSample = 1000
	// maxBuckets bounds the buckets of a round, and so what a strategy's index holds.
	maxBuckets = 1 << 24
	// maxCoordinates bounds the coordinates of a round's centres: 512 MB.
	maxCoordinates = 1 << 28
)

// Check returns an error unless the recipe is for a game.
func (r *Recipe) Check(g *acpc.Game) error {
	if g.NumHoleCards > 2 {
		return fmt.Errorf("%s deals %d hole cards: there are buckets for one or two only", g.Name, g.NumHoleCards)
	}
	if len(r.Rounds) != g.NumRounds {
		return fmt.Errorf("it has %d rounds, %s has %d", len(r.Rounds), g.Name, g.NumRounds)
	}
	if r.Sample != 0 && r.Sample < minSample {
		return fmt.Errorf("a sample of %d hands is too small: want %d or more, or 0 for all", r.Sample, minSample)
	}
	before := 1
	for i, round := range r.Rounds {
		index, err := abstraction.NewSuitIndex(g.NumSuits, g.NumRanks, g.NumHoleCards, g.BoardCards(i))
		if err != nil {
			return fmt.Errorf("round %d: %w", i+1, err)
		}
		buckets := round.Buckets
		if round.Feature == Hands {
			buckets = index.Size()
		}
		if r.PerfectRecall {
			buckets *= before
		}
		before = buckets
		msg := ""
		switch {
		case round.Feature != Hands && round.Feature != Histogram && round.Feature != OCHS:
			msg = fmt.Sprintf("unknown feature %q: want %s, %s or %s", round.Feature, Hands, Histogram, OCHS)
		case round.Feature == OCHS && g.BoardCards(i) < g.BoardCards(g.NumRounds-1):
			msg = "ochs compares hands on full boards, those of the last round"
		case buckets < 1 || buckets > maxBuckets:
			msg = fmt.Sprintf("%d buckets are not from 1 to %d", buckets, maxBuckets)
		case round.Feature != Hands && (r.Bins < 2 || r.Bins > maxBins):
			msg = fmt.Sprintf("%d bins are not from 2 to %d", r.Bins, maxBins)
		case round.Feature == Histogram && buckets > maxCoordinates/r.Bins:
			msg = fmt.Sprintf("%d buckets of %d bins are more than %d numbers", buckets, r.Bins, maxCoordinates)
		case round.Feature == OCHS && (r.Clusters < 1 || r.Clusters > maxClusters):
			msg = fmt.Sprintf("%d clusters are not from 1 to %d", r.Clusters, maxClusters)
		}
		if msg != "" {
			return fmt.Errorf("round %d: %s", i+1, msg)
		}
	}
	return nil
}

// WriteText writes what the buckets of a game hold, how long they took to make, and their file.
func (t *Table) WriteText(w io.Writer, file string, g *acpc.Game, spent time.Duration) error {
	fmt.Fprintf(w, "%s for %s in %.3g s\n", t.Name(), g.Name, spent.Seconds())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "round\tfeature\tbuckets\tsmallest\tmedian\tlargest\tempty\tdistance\t")
	for i, r := range t.Reports() {
		feature, buckets := t.recipe.Rounds[i].Feature, t.NumBuckets(i)
		if feature == Hands || feature == Given {
			fmt.Fprintf(table, "%d\t%s\t%d\t\t\t\t\t\t\n", i+1, feature, buckets)
			continue
		}
		fmt.Fprintf(table, "%d\t%s\t%d\t%.2g%%\t%.2g%%\t%.2g%%\t%d\t%.4f\t\n",
			i+1, feature, buckets, 100*r.Smallest, 100*r.Median, 100*r.Largest, r.Empty, r.Distance)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "digest      %x\nwritten to  %s\n", t.Digest(), file)
	return err
}
