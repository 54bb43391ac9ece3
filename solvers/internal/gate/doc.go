// Package gate has the opponent's choice at the root of a subgame that is solved safely, in
// which it is offered something for each of its hands.
package gate
