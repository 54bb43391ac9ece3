package buckets

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"gamebots/acpc"
)

// describedRound is a round of a table with what its buckets hold.
type describedRound struct {
	Feature Feature `json:"feature"`
	Buckets int     `json:"buckets"`
	Report
}

// describe describes the rounds of a game.
func (t *Table) describe(g *acpc.Game) []describedRound {
	rounds := make([]describedRound, g.NumRounds)
	for i, r := range t.Reports() {
		rounds[i] = describedRound{t.Recipe().Rounds[i].Feature, t.NumBuckets(i), r}
	}
	return rounds
}

// WriteJSON writes a table of a game as one JSON object: how long it took to make, and its file.
func (t *Table) WriteJSON(w io.Writer, file string, g *acpc.Game, spent time.Duration) error {
	return json.NewEncoder(w).Encode(struct {
		Game    string           `json:"game"`
		Name    string           `json:"name"`
		Digest  string           `json:"digest"`
		Rounds  []describedRound `json:"rounds"`
		Seconds float64          `json:"seconds"`
		File    string           `json:"file"`
	}{g.Name, t.Name(), fmt.Sprintf("%x", t.Digest()), t.describe(g), spent.Seconds(), file})
}

// WriteText is WriteJSON for people.
func (t *Table) WriteText(w io.Writer, file string, g *acpc.Game, spent time.Duration) error {
	fmt.Fprintf(w, "%s for %s in %.3g s\n", t.Name(), g.Name, spent.Seconds())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "round\tfeature\tbuckets\tsmallest\tmedian\tlargest\tempty\tdistance\t")
	for i, r := range t.describe(g) {
		if r.Feature == Hands || r.Feature == Given {
			fmt.Fprintf(table, "%d\t%s\t%d\t\t\t\t\t\t\n", i+1, r.Feature, r.Buckets)
			continue
		}
		fmt.Fprintf(table, "%d\t%s\t%d\t%.2g%%\t%.2g%%\t%.2g%%\t%d\t%.4f\t\n",
			i+1, r.Feature, r.Buckets, 100*r.Smallest, 100*r.Median, 100*r.Largest, r.Empty, r.Distance)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "digest      %x\nwritten to  %s\n", t.Digest(), file)
	return err
}
