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

// Usual returns the format of winnings for a command without --unit.
func Usual(g *acpc.Game) money.Format {
	f, _ := money.Usual.In(g) // every game has it
	return f
}

// ByPosition formats the values of all positions, or of the first of two.
func ByPosition(values []float64, f money.Format) string {
	_, chip := f.Data()
	if len(values) == 2 {
		return fmt.Sprintf("%.6g %s to the first position", chip*values[0], f.Symbol())
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprintf("%.6g", chip*v))
	}
	return fmt.Sprintf("%s %s by position", strings.Join(texts, ", "), f.Symbol())
}

// Counted returns a number with a noun in the singular or plural.
func Counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprint(n, " ", many)
}
