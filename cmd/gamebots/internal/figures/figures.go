package figures

import (
	"fmt"
	"math"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/money"
)

// PlusMinus is half of an interval, which a single observation leaves unknown.
func PlusMinus(half float64, decimals int) string {
	if math.IsInf(half, 0) || math.IsNaN(half) {
		return "± ?"
	}
	return fmt.Sprintf("± %.*f", decimals, half)
}

// Abstractly says which game an exploitability is of, where some raises of the
// real one are not in it.
func Abstractly(actions string) string {
	actions = strings.TrimSuffix(actions, "; forgetful") // a best response forgets nothing
	if actions == "" || actions == "all" {
		return ""
	}
	return ", in the abstract game of the actions " + actions
}

// Chips formats an amount a hand for people, where a command has no --unit.
func Chips(x float64, g *acpc.Game) string { return Usual(g).Amount(x) }

// ChipsWithin formats an amount and half of its interval, where a command has no --unit.
func ChipsWithin(x, half float64, g *acpc.Game) string { return Usual(g).Within(x, half) }

// Usual returns the format of winnings for which no unit was asked for.
func Usual(g *acpc.Game) money.Format {
	f, _ := money.Usual.In(g) // every game has it
	return f
}

// ChipList formats the values of all positions, or of the first of two.
func ChipList(values []float64) string {
	if len(values) == 2 {
		return fmt.Sprintf("%.6g chips to the first position", values[0])
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprintf("%.6g", v))
	}
	return strings.Join(texts, ", ") + " chips by position"
}

// Counted returns a number with a noun in the singular or plural.
func Counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprint(n, " ", many)
}
