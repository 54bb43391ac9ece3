package cli

import (
	"gamebots/acpc/money"

	"github.com/spf13/pflag"
)

// AddUnit adds the flag --unit, whose value is the unit of the winnings that a command prints. A command makes a
// [money.Format] of it once it knows the game, by [money.Unit.In], and writes every amount by that.
func AddUnit(flags *pflag.FlagSet, to *money.Unit) {
	flags.Var(to, "unit", "print winnings in mb (thousandths of the largest blind or ante a hand), bb100 (such blinds per 100 hands) or chips")
}
