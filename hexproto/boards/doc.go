// Package boards has the board games of this module as [game.Rules]: [Havannah],
// [Nim] and [Matrix]. It is also where the JSON options of each game are defined.
// Bots read positions by [HavannahBoard], [NimBoard] and [MatrixMatch].
//
// No solver is imported here. Rules that rate moves by a solver embed those of
// this package, as [gamebots/bots/havannahbot] does.
package boards
