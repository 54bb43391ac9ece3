package judge

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"time"

	"gamebots/acpc/money"
	"gamebots/bots/proc"
	"gamebots/internal/names"
	"gamebots/internal/stats"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what the template shows.
type page struct {
	*Card
	Conduct Conduct
	Unit    string
	Exactly []exactRow
	Exploit string
	Bounds  []row
	Results []row
}

// exactRow is a position of an exact evaluation.
type exactRow struct {
	Position    int
	Value, Best string
}

// row is a measured value with its 95% interval.
type row struct {
	Name   string
	N      int
	Plain  string // chips counted
	Better string // with less luck
	Gain   string // how many times fewer hands that needs
	Error  string
}

// WriteHTML writes the card as one page that needs nothing else.
func (c *Card) WriteHTML(w io.Writer) error {
	unit, chip := c.unit().Data()
	p := page{Card: c, Conduct: c.Conduct(), Unit: unitName(unit)}
	if c.Exact != nil {
		usual := money.UsualIn(c.Game)
		for i, value := range c.Exact.Value {
			p.Exactly = append(p.Exactly, exactRow{i + 1, usual.Amount(value), usual.Amount(c.Exact.BestResponse[i])})
		}
		p.Exploit = fmt.Sprintf("%.6f chips a hand", c.Exact.Exploitability())
	}
	p.Bounds, p.Results = c.rows(chip)
	return pageTemplate.Execute(w, &p)
}

// rows returns what local best responses and matches have come to, in a unit of which a chip is so many.
func (c *Card) rows(chip float64) (bounds, results []row) {
	for _, l := range c.Locals {
		r := row{Name: l.Rounds, N: l.Won.Deals()}
		if r.N > 1 {
			r.Plain, r.Better = within(&l.Won.Won, chip), within(&l.Won.Estimated, chip)
		}
		bounds = append(bounds, r)
	}
	for _, m := range c.Matches {
		r := row{Name: m.Opponent, N: m.Estimate.Hands, Error: m.Error}
		if m.Estimate.Won.N > 1 {
			r.Plain, r.Better = within(&m.Estimate.Won, -chip), within(&m.Estimate.Estimated, -chip)
			if gain := m.Estimate.Gain(); gain < 1e6 {
				r.Gain = fmt.Sprintf("%.3g", gain)
			}
		}
		results = append(results, r)
	}
	return bounds, results
}

// unitName returns what people call a unit of data.
func unitName(unit string) string {
	if unit == "bb100" {
		return "bb/100"
	}
	return unit + " a hand"
}

// within writes a mean of chips a hand with its interval, in a unit of which a chip is so many.
func within(s *stats.Sample, chip float64) string {
	mean, half := chip*s.Mean(), math.Abs(chip)*s.Interval95()
	if mean == 0 {
		mean = 0 // without a sign
	}
	digits := 0
	for half > 0 && digits < 4 && half*math.Pow10(digits) < 10 {
		digits++
	}
	return strings.ReplaceAll(fmt.Sprintf("%+.*f ± %.*f", digits, mean, digits, half), "-", "−")
}

// Duration writes a time for people.
func (p *page) Duration(d time.Duration) string { return proc.TimeText(d) }

// WriteText writes the main results, a line each.
func (c *Card) WriteText(to io.Writer) error {
	unit, chip := c.unit().Data()
	w := new(strings.Builder) // names and errors are the bot's
	fmt.Fprintf(w, "%s in %s\n", c.Name, c.Game.Name)
	if c.Exact != nil {
		fmt.Fprintf(w, "exploitability  %.6f chips\n", c.Exact.Exploitability())
	}
	bounds, results := c.rows(chip)
	if c.Exact == nil && len(bounds) == 0 {
		fmt.Fprintf(w, "exploitability  not known: %s\n", c.Why)
	}
	for _, r := range bounds {
		if r.Better != "" {
			fmt.Fprintf(w, "local best response, %s: %s %s\n", r.Name, r.Better, unitName(unit))
		}
	}
	for _, r := range results {
		result := cmp.Or(r.Error, "too few hands")
		if r.Better != "" {
			result = r.Better + " " + unitName(unit)
		}
		fmt.Fprintf(w, "against %s: %s (%d hands)\n", r.Name, result, r.N)
	}
	conduct := c.Conduct()
	fmt.Fprintf(w, "%d illegal answers, %d errors\n", conduct.Illegal, len(conduct.Errors))
	_, err := io.WriteString(to, names.Safe(w.String()))
	return err
}
