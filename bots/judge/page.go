package judge

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"gamebots/acpc/money"
	"gamebots/bots/proc"
	"gamebots/internal/stats"
	"gamebots/internal/usererr"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what the template shows, and what JSON has.
type page struct {
	*Card   `json:"-"`
	Game    string   `json:"game"`
	Bot     string   `json:"bot"`
	Exploit *float64 `json:"exploitability_chips,omitempty"`
	Why     string   `json:"not_exact,omitempty"`
	Data    string   `json:"unit"`
	Bounds  []row    `json:"local_best_responses,omitempty"`
	Results []row    `json:"matches"`
	Worst   []worst  `json:"worst_hands"`
	Conduct
	Seed    uint32     `json:"seed"`
	Cut     bool       `json:"cut"` // the time was over before all deals were played
	Unit    string     `json:"-"`
	Exactly []exactRow `json:"-"`
	Figures []figure   `json:"-"`
}

// exactRow is a position of an exact evaluation.
type exactRow struct {
	Position    int
	Value, Best string
}

// row is a measured value.
type row struct {
	Name   string  `json:"name"`
	Hands  int     `json:"hands"`
	Plain  *amount `json:"chips,omitempty"`    // counted
	Better *amount `json:"estimate,omitempty"` // with less luck
	Gain   string  `json:"-"`                  // how many times fewer hands that needs
	Error  string  `json:"error,omitempty"`
}

// amount is a mean with half of its 95% interval.
type amount struct {
	Mean       float64 `json:"mean"`
	Interval95 float64 `json:"interval95"`
}

// amountOf returns the mean of chips a hand in a unit of which a chip is so many, nil for fewer than two.
func amountOf(s *stats.Sample, chip float64) *amount {
	if s.N < 2 {
		return nil
	}
	return &amount{chip * s.Mean(), math.Abs(chip) * s.Interval95()}
}

// worst is a hand of a deal in which the bot lost most by estimate.
type worst struct {
	Opponent string  `json:"opponent"`
	Position int     `json:"position"` // from 1
	Hand     string  `json:"hand"`     // its betting and cards as the ACPC writes them
	Won      float64 `json:"won_chips"`
	Deal     float64 `json:"deal_chips"` // the estimate of its deal, a hand
}

// numWorst is how many deals are shown that were lost.
const numWorst = 5

// page returns what there is to show.
func (c *Card) page() *page {
	unit, chip := c.unit().Data()
	p := &page{
		Card: c, Game: c.Spec.Game.Name, Bot: c.Name, Data: unit, Unit: unitName(unit), Why: c.Why, Seed: c.Seed,
		Cut: c.Cut, Conduct: c.Conduct(),
	}
	if c.Exact != nil {
		usual := money.UsualIn(c.Game)
		for i, value := range c.Exact.Value {
			p.Exactly = append(p.Exactly, exactRow{i + 1, usual.Amount(value), usual.Amount(c.Exact.BestResponse[i])})
		}
		exploitability := c.Exact.Exploitability()
		p.Exploit = &exploitability
	}
	for _, l := range c.Locals {
		p.Bounds = append(p.Bounds, row{
			Name: l.Rounds, Hands: 2 * l.Won.Deals(),
			Plain: amountOf(&l.Won.Won, chip), Better: amountOf(&l.Won.Estimated, chip),
		})
	}
	var deals []dealt
	for i := range c.Matches {
		m := &c.Matches[i]
		r := row{
			Name: m.Opponent, Hands: m.Estimate.Hands, Error: m.Error,
			Plain: amountOf(&m.Estimate.Won, -chip), Better: amountOf(&m.Estimate.Estimated, -chip),
		}
		if gain := m.Estimate.Gain(); gain < 1e6 {
			r.Gain = fmt.Sprintf("%.3g", gain)
		}
		p.Results, p.Figures = append(p.Results, r), append(p.Figures, c.figure(m, r))
		deals = append(deals, m.byDeal...)
	}
	slices.SortStableFunc(deals, func(a, b dealt) int { return cmp.Compare(b.won, a.won) })
	for _, d := range deals[:min(numWorst, len(deals))] {
		for _, h := range d.hands {
			_, text, _ := strings.Cut(strings.TrimPrefix(string(h.State.Append(nil)), "STATE:"), ":")
			own := 1 - h.Position
			p.Worst = append(p.Worst, worst{d.opponent, own + 1, text, h.State.Value(own), -d.won})
		}
	}
	return p
}

// figure is a picture of a match: what the bot has won so far, deal by deal, as lines of an SVG.
type figure struct {
	row
	Plain, Better string // points of the lines
	Zero          float64
	High, Low     string
}

// The size of a figure, and how many points its lines have at most.
const (
	figureWidth, figureHeight = 320., 110.
	maxPoints                 = 200
)

// figure draws a match.
func (c *Card) figure(m *Match, r row) figure {
	lines, high, low := [2][]float64{{0}, {0}}, 0., 0.
	for _, d := range m.byDeal {
		won := 0.0
		for _, h := range d.hands {
			won -= h.State.Value(h.Position)
		}
		for k, x := range [2]float64{won, -d.won * float64(len(d.hands))} {
			x += lines[k][len(lines[k])-1]
			lines[k], high, low = append(lines[k], x), max(high, x), min(low, x)
		}
	}
	y := func(x float64) float64 { return figureHeight * (high - x) / max(high-low, 1e-9) }
	f := figure{row: r, Zero: y(0), High: fmt.Sprintf("%+.0f", high), Low: fmt.Sprintf("%+.0f", low)}
	for k, to := range []*string{&f.Plain, &f.Better} {
		last := len(lines[k]) - 1
		var points []string
		for i := range min(last, maxPoints) + 1 {
			at := i * last / max(1, min(last, maxPoints))
			x := figureWidth * float64(at) / float64(max(1, last))
			points = append(points, fmt.Sprintf("%.1f,%.1f", x, y(lines[k][at])))
		}
		*to = strings.Join(points, " ")
	}
	return f
}

// WriteHTML writes the card as one page that needs nothing else. A card of the same results is the same page.
func (c *Card) WriteHTML(w io.Writer) error { return pageTemplate.Execute(w, c.page()) }

// JSON returns the card for JSON, the same for the same results.
func (c *Card) JSON() any { return c.page() }

// unitName returns what people call a unit of data.
func unitName(unit string) string {
	if unit == "bb100" {
		return "bb/100"
	}
	return unit + " a hand"
}

// String writes the amount for people.
func (a *amount) String() string {
	digits := 0
	for a.Interval95 > 0 && digits < 4 && a.Interval95*math.Pow10(digits) < 10 {
		digits++
	}
	mean := a.Mean + 0 // without the sign of zero
	return strings.ReplaceAll(fmt.Sprintf("%+.*f ± %.*f", digits, mean, digits, a.Interval95), "-", "−")
}

// WriteText writes the main results, a line each, and how long the bot took, which is not on the page.
func (c *Card) WriteText(to io.Writer) error {
	p, w := c.page(), new(strings.Builder) // names and errors are the bot's
	fmt.Fprintf(w, "%s in %s\n", p.Bot, p.Game)
	if p.Exploit != nil {
		fmt.Fprintf(w, "exploitability  %.6f chips\n", *p.Exploit)
	} else if len(p.Bounds) == 0 {
		fmt.Fprintf(w, "exploitability  not known: %s\n", p.Why)
	}
	for _, r := range p.Bounds {
		if r.Better != nil {
			fmt.Fprintf(w, "local best response, %s: %s %s\n", r.Name, r.Better, p.Unit)
		}
	}
	for _, r := range p.Results {
		result := cmp.Or(r.Error, "too few hands")
		if r.Better != nil {
			result = r.Better.String() + " " + p.Unit
		}
		fmt.Fprintf(w, "against %s: %s (%s)\n", r.Name, result, usererr.Counted(r.Hands, "hand", "hands"))
	}
	fmt.Fprintf(w, "%d illegal answers, %d errors\n", p.Illegal, len(p.Errors))
	if took := p.Conduct; took.Decisions > 0 {
		fmt.Fprintf(w, "a decision took %s on average, 95%% less than %s, the longest %s\n", proc.TimeText(took.Mean),
			proc.TimeText(took.Most95), proc.TimeText(took.Longest))
	}
	_, err := io.WriteString(to, usererr.Safe(w.String()))
	return err
}
