// Package train trains strategies for poker games by the name of an algorithm, with
// checkpoints.
//
// [Run] does all of a training, from its description to its files, in one call:
//
//	j := train.Job{Spec: train.Spec{GameSpec: game}}
//	j.File, j.Goal.Iterations = "leduc.strategy", 1000
//	result, err := train.Run(ctx, j)
//
// A [Spec] describes what is trained: the game, its abstractions, the algorithm and the seed; a
// [Description] is the same in words. [Open] makes a [Training] of it for one's own loop, and
// [Training.MoveToDevice] takes it to a GPU where that pays. A [Session] is a training on its way to
// a [Goal], with a clock, as the hooks of Run see it.
//
// Algorithms are entries of one list, the registry of algorithm.go: those in vector
// form of package cfr, the samplings of package mccfr, and the algorithms of package
// reis. A variant that is added there, or to the lists of cfr and mccfr, can be
// trained, named in help texts and kept in files without further changes.
//
// The package writes no log and knows no flags: it calls back, and its errors are
// typed.
//
// docs/library.md promises to keep this package.
package train
