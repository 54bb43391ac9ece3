package correlated

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/internal/syntax"
)

// WriteText writes the equilibrium of a game, and its proof. The objective is a text of
// [ParseObjective].
func (s *Solution) WriteText(w io.Writer, g *game.NormalForm, objective string) error {
	var out strings.Builder
	name, names := g.CellNames(), g.Names()
	for c, p := range s.Probability {
		if p.Sign() != 0 {
			fmt.Fprintf(&out, "probability %s: %s, payoffs %s\n",
				p.RatString(), name(c), strings.Join(g.CellPayoffs(c), " "))
		}
	}
	for _, m := range s.Multipliers {
		from := "any strategy"
		if m.From >= 0 {
			from = names[m.Player][m.From]
		}
		fmt.Fprintf(&out, "multiplier %s: player %d, %s instead of %s\n",
			m.Weight.RatString(), m.Player+1, names[m.Player][m.To], from)
	}
	fmt.Fprintf(&out, "a %v equilibrium with expected payoffs %s, verified exactly",
		s.Kind, strings.Join(game.Fractions(s.Payoffs), " and "))
	what := "objective"
	if objective == welfare {
		what = "welfare"
	}
	if objective != none {
		fmt.Fprintf(&out, "; its %s, %s, is proved to be the largest", what, s.Value.RatString())
	}
	out.WriteByte('\n')
	_, err := io.WriteString(w, out.String())
	return err
}

// A solutionJSON is an equilibrium as JSON. Strategies and players count from 0, fractions are
// texts.
type solutionJSON struct {
	Kind         string           `json:"kind"`
	Maximize     string           `json:"maximize"`
	Value        string           `json:"value"`
	Payoffs      []string         `json:"payoffs"`
	Distribution []cellJSON       `json:"distribution"`
	Multipliers  []multiplierJSON `json:"multipliers"`
	Verified     bool             `json:"verified"`
}

type cellJSON struct {
	Profile     []int  `json:"profile"`
	Probability string `json:"probability"`
}

type multiplierJSON struct {
	Player int    `json:"player"`
	From   *int   `json:"from"` // null in coarse equilibria
	To     int    `json:"to"`
	Weight string `json:"weight"`
}

// WriteJSON writes an equilibrium that Verify accepts as one JSON object.
func (s *Solution) WriteJSON(w io.Writer, g *game.NormalForm, objective string) error {
	out := solutionJSON{
		Kind: s.Kind.String(), Maximize: objective, Value: s.Value.RatString(), Payoffs: game.Fractions(s.Payoffs),
		Multipliers: []multiplierJSON{}, Verified: true,
	}
	for c, p := range s.Probability {
		if p.Sign() != 0 {
			out.Distribution = append(out.Distribution, cellJSON{g.Profile(c), p.RatString()})
		}
	}
	for _, m := range s.Multipliers {
		j := multiplierJSON{Player: m.Player, To: m.To, Weight: m.Weight.RatString()}
		if m.From >= 0 {
			j.From = &m.From
		}
		out.Multipliers = append(out.Multipliers, j)
	}
	return json.NewEncoder(w).Encode(out)
}

// ReadDistribution reads the probabilities of a game's cells from the "distribution" of what
// WriteJSON writes.
func ReadDistribution(g *game.NormalForm, text []byte) ([]*big.Rat, error) {
	var in solutionJSON
	if err := json.Unmarshal(text, &in); err != nil {
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) { // its own text names Go's types
			err = fmt.Errorf("not a distribution: %s in the wrong place", wrong.Value)
			if strings.HasSuffix(wrong.Field, "probability") {
				err = fmt.Errorf(`a probability is a text, such as "1/2" or "0.5", not a %s`, wrong.Value)
			}
		}
		return nil, err
	}
	probability := make([]*big.Rat, g.Cells())
	for c := range probability {
		probability[c] = new(big.Rat)
	}
	for i, cell := range in.Distribution {
		if len(cell.Profile) != len(g.Sizes) {
			return nil, fmt.Errorf("distribution %d has %d strategies for %d players", i+1, len(cell.Profile),
				len(g.Sizes))
		}
		for p, strategy := range cell.Profile {
			if strategy < 0 || strategy >= g.Sizes[p] {
				return nil, fmt.Errorf("distribution %d: player %d has no strategy %d; they count from 0", i+1, p+1,
					strategy)
			}
		}
		x, err := syntax.ParseNumber(cell.Probability)
		if err != nil {
			return nil, fmt.Errorf("distribution %d: probability %q: %w", i+1, cell.Probability, err)
		}
		c := g.Cell(cell.Profile)
		probability[c] = new(big.Rat).Add(probability[c], x)
	}
	return probability, nil
}

// WriteText writes how far a distribution is from an equilibrium of a kind.
func (gap Gap) WriteText(w io.Writer, kind Kind) error {
	for p, gain := range gap.Players {
		fmt.Fprintf(w, "player %d gains %s by deviations\n", p+1, gain.RatString())
	}
	not := ""
	if gap.Total.Sign() != 0 {
		not = "not "
	}
	_, err := fmt.Fprintf(w, "%s in all: %sa %v equilibrium\n", gap.Total.RatString(), not, kind)
	return err
}

// WriteJSON writes it as one JSON object.
func (gap Gap) WriteJSON(w io.Writer, kind Kind) error {
	return json.NewEncoder(w).Encode(struct {
		Kind     string   `json:"kind"`
		Distance string   `json:"distance"`
		Players  []string `json:"players"`
	}{kind.String(), gap.Total.RatString(), game.Fractions(gap.Players)})
}
