// Package resolving has players that solve the last rounds of a hand at the table, by package
// resolve, and before play a trained strategy:
//
//	o := resolving.Options{Options: resolve.Options{Iterations: 200}}
//	prepared, err := o.Prepare(trained, memory)
//	player, err := resolving.New(prepared, poker.Style{}, seed, o)
//
// Package poker plays without it, and links no solver.
package resolving
