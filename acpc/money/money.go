// Package money writes what is won in a hand of poker, in chips, in mb or in bb/100.
//
// Programs compute in chips a hand. A [Unit] is what a person asked for, and [Unit.In] makes a [Format] of it for a
// game: it writes amounts with their intervals, and scales those of tables and of data.
package money

import (
	"fmt"
	"math"
	"strings"

	"gamebots/acpc"
)

// A Unit of winnings. It is the value of a flag: it has Set, String and Type.
type Unit string

// The units. A blind is the largest blind or ante of the game ([acpc.Game.MaxBlind]).
const (
	Usual Unit = ""      // chips and mb in sentences, mb in tables and chips in data
	Chips Unit = "chips" // chips a hand
	MB    Unit = "mb"    // thousandths of a blind a hand
	BB100 Unit = "bb100" // blinds per 100 hands
)

// Set sets a unit by its name.
func (u *Unit) Set(text string) error {
	switch Unit(text) {
	case Chips, MB, BB100:
		*u = Unit(text)
		return nil
	}
	return fmt.Errorf("want %s, %s or %s", MB, BB100, Chips)
}

// String returns the name of the unit.
func (u Unit) String() string { return string(u) }

// Type names the value in help texts.
func (Unit) Type() string { return "UNIT" }

// A Format writes amounts of one game in one unit. They are given in chips a hand.
type Format struct {
	unit  Unit
	blind float64 // 0 if the game has none
}

// In returns how the unit is written in a game. It is an error if the unit needs a blind and the game has none.
func (u Unit) In(g *acpc.Game) (Format, error) {
	f := Format{u, float64(g.MaxBlind())}
	if f.blind == 0 && (u == MB || u == BB100) {
		return f, fmt.Errorf("%s has no blinds, and so no %s", g.Name, u)
	}
	return f, nil
}

// UsualIn returns the format of a game's winnings where no unit was asked for.
func UsualIn(g *acpc.Game) Format {
	f, _ := Usual.In(g) // every game has it
	return f
}

// Unit returns the unit.
func (f Format) Unit() Unit { return f.unit }

// Amount writes an amount, as in "0.5 chips (250 mb)", "250 mb" or "25 bb/100".
func (f Format) Amount(x float64) string {
	switch f.unit {
	case MB:
		return digits(1000*x/f.blind, 4) + " mb"
	case BB100:
		return digits(100*x/f.blind, 4) + " bb/100"
	}
	text := InChips(digits(x, 6))
	if f.unit == Usual && f.blind > 0 {
		text += " (" + digits(1000*x/f.blind, 4) + " mb)"
	}
	return text
}

// InChips returns a number of chips with its noun.
func InChips(number string) string {
	if strings.TrimLeft(number, "+-") == "1" {
		return number + " chip"
	}
	return number + " chips"
}

// digits writes at least n digits of a number, and all before its point.
func digits(x float64, n int) string {
	if math.Abs(x) >= math.Pow10(n)-.5 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.*g", n, x)
}

// single returns the one unit of a column, and what one chip a hand is in it.
func (f Format) single() (unit string, chip float64) {
	switch {
	case f.unit == BB100:
		return "bb/100", 100 / f.blind
	case f.unit == Chips || f.blind == 0:
		return "chips", 1
	}
	return "mb", 1000 / f.blind
}

// ProgressWithin writes winnings and half of their interval for a line of progress, as in "+12050 ± 15470 mb".
func (f Format) ProgressWithin(x, half float64) string {
	unit, chip := f.single()
	decimals := f.Decimals()
	if chip*half >= 100 {
		decimals = 0
	}
	return Signed(chip*x, decimals) + " " + PlusMinus(chip*half, decimals) + " " + unit
}

// Brief writes an amount of a single decision, in one unit and few digits: mb unless another one was asked for.
func (f Format) Brief(x float64) string {
	switch {
	case f.unit == BB100:
		return fmt.Sprintf("%.1f bb/100", 100*x/f.blind)
	case f.unit == Chips || f.blind == 0:
		return InChips(fmt.Sprintf("%.3g", x))
	}
	return fmt.Sprintf("%.0f mb", 1000*x/f.blind)
}

// Within writes an amount and half of its interval. An interval that is infinite or NaN is not known.
func (f Format) Within(x, half float64) string {
	if math.IsInf(half, 0) || math.IsNaN(half) {
		return f.Amount(x) + " ± ?"
	}
	return f.Amount(x) + " ± " + f.Amount(half)
}

// AtLeast writes an estimate of a lower bound of what a best response wins, and half of its interval. A response that
// loses bounds nothing: a best response wins at least 0.
func (f Format) AtLeast(x, half float64) string {
	if x < 0 {
		return "at least 0 (" + f.Within(x, half) + ")"
	}
	return "at least " + f.Within(x, half)
}

// AHand ends a sentence about winnings a hand: text is an amount, or one with its interval. Those in bb/100 say already
// of how many hands they are.
func (f Format) AHand(text string) string {
	if f.unit == BB100 {
		return text
	}
	return text + " a hand"
}

// Column returns the title of a table's column of winnings, and what one chip a hand is in it.
func (f Format) Column() (title string, chip float64) {
	unit, chip := f.single()
	return f.AHand(unit), chip
}

// Decimals returns how many decimals a column of winnings has: one, or in chips as many as show a thousandth of the
// blind.
func (f Format) Decimals() int {
	n := 1
	if f.unit == Chips && f.blind > 0 {
		for scaled := f.blind; scaled < 100; scaled *= 10 {
			n++
		}
	}
	return n
}

// Data returns the name of the unit in JSON, and what one chip a hand is in it.
func (f Format) Data() (name string, chip float64) {
	if f.unit == Usual {
		return string(Chips), 1
	}
	_, chip = f.Column()
	return string(f.unit), chip
}

// Symbol returns how the unit of [Format.Data] is written after an amount, as in bb/100.
func (f Format) Symbol() string {
	if f.unit == BB100 {
		return "bb/100"
	}
	name, _ := f.Data()
	return name
}

// Signed writes an amount with its sign, and with + for 0. Means of whole chips are often halfway between two figures:
// those go away from zero, as on the page, in whatever order the chips were added.
func Signed(x float64, decimals int) string {
	scale := math.Pow10(decimals)
	if x = math.Round(scale*x+math.Copysign(1e-6, x)) / scale; x == 0 {
		x = 0 // without a sign
	}
	return fmt.Sprintf("%+.*f", decimals, x)
}

// PlusMinus writes half of an interval, which a single observation leaves unknown.
func PlusMinus(half float64, decimals int) string {
	if math.IsInf(half, 0) || math.IsNaN(half) {
		return "± ?"
	}
	return fmt.Sprintf("± %.*f", decimals, half)
}

// ByPosition writes the values of all positions, or of the first of two.
func (f Format) ByPosition(values []float64) string {
	_, chip := f.Data()
	if len(values) == 2 {
		return fmt.Sprintf("%s %s to the first position", digits(chip*values[0], 6), f.Symbol())
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, digits(chip*v, 6))
	}
	return fmt.Sprintf("%s %s by position", strings.Join(texts, ", "), f.Symbol())
}
