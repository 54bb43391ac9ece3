package judge

import (
	"context"
	_ "embed"
	"html/template"
	"io"

	"gamebots/bots/arena"
)

//go:embed boards.html
var boardsText string

// boardsTemplate takes its head from the page of a [Card].
var boardsTemplate = template.Must(template.Must(pageTemplate.Clone()).New("boards").Parse(boardsText))

// EngineCard is a report card of an engine of a board game: a ladder of matches, of which it is A. B is a bot of the
// program, the weakest first.
type EngineCard struct {
	Matches []*arena.Match
	Cut     bool   // not all games were played
	Repeat  string // the command line that judges again
	Version string // the program's
}

// Play plays the matches until ctx ends, and calls onMatch before each.
func (b *EngineCard) Play(ctx context.Context, onMatch func(m *arena.Match)) error {
	for _, m := range b.Matches {
		onMatch(m)
		if err := m.Play(ctx); ctx.Err() != nil {
			b.Cut = true
			break
		} else if err != nil {
			return err
		}
	}
	return nil
}

// rung is a match with games as the page shows it. Its scores are in percent.
type rung struct {
	*arena.Match
	Percent, Low, High float64
}

// Rungs returns the matches that have games, for the page.
func (b *EngineCard) Rungs() (rungs []rung) {
	for _, m := range b.Matches {
		if m.Score.Games() > 0 {
			low, high := m.Score.Interval95()
			rungs = append(rungs, rung{m, 100 * m.Score.Score(), 100 * low, 100 * high})
		}
	}
	return rungs
}

// WriteHTML writes the card as one page that needs nothing else.
func (b *EngineCard) WriteHTML(w io.Writer) error { return boardsTemplate.Execute(w, b) }

// WriteText writes the results for people.
func (b *EngineCard) WriteText(w io.Writer) error {
	for _, r := range b.Rungs() {
		if err := r.WriteText(w); err != nil {
			return err
		}
	}
	return nil
}

// JSON returns the results for JSON.
func (b *EngineCard) JSON() any {
	var all struct {
		Matches []any `json:"matches"`
		Cut     bool  `json:"cut"`
	}
	for _, r := range b.Rungs() {
		all.Matches = append(all.Matches, r.JSON())
	}
	all.Cut = b.Cut
	return all
}
