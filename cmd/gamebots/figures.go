package main

import (
	"fmt"
	"math"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/money"
)

// signedTenths is a mean of chips to the tenth. Means of whole chips are often
// halfway between two: those go away from zero, as on the page, in whatever order
// the chips were added.
func signedTenths(x float64) string {
	if x = math.Round(10*x+math.Copysign(1e-6, x)) / 10; x == 0 {
		x = 0 // without a sign
	}
	return fmt.Sprintf("%+.1f", x)
}

// plusMinus is half of an interval, which a single observation leaves unknown.
func plusMinus(half float64, decimals int) string {
	if math.IsInf(half, 0) || math.IsNaN(half) {
		return "± ?"
	}
	return fmt.Sprintf("± %.*f", decimals, half)
}

// abstractly says which game an exploitability is of, where some raises of the
// real one are not in it.
func abstractly(actions string) string {
	actions = strings.TrimSuffix(actions, "; forgetful") // a best response forgets nothing
	if actions == "" || actions == "all" {
		return ""
	}
	return ", in the abstract game of the actions " + actions
}

// chips formats an amount a hand for people, where a command has no --unit.
func chips(x float64, g *acpc.Game) string { return usual(g).Amount(x) }

// chipsWithin formats an amount and half of its interval, where a command has no --unit.
func chipsWithin(x, half float64, g *acpc.Game) string { return usual(g).Within(x, half) }

// usual returns the format of winnings for which no unit was asked for.
func usual(g *acpc.Game) money.Format {
	f, _ := money.Usual.In(g) // every game has it
	return f
}

// chipList formats the values of all positions, or of the first of two.
func chipList(values []float64) string {
	if len(values) == 2 {
		return fmt.Sprintf("%.6g chips to the first position", values[0])
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprintf("%.6g", v))
	}
	return strings.Join(texts, ", ") + " chips by position"
}
