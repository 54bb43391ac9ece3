// Package train trains strategies for poker games by the name of an algorithm, with
// checkpoints.
//
// A [Spec] describes a training: the game, its abstractions, the algorithm and the
// seed. [Open] makes a [Training] of it, [Training.MoveToDevice] takes it to a GPU
// where that pays, and a [Session] runs it to a [Goal], saves checkpoints on a
// schedule and resumes from them:
//
//	algorithm, err := train.ParseAlgorithm("public(64)")
//	t, err := train.Open(train.Spec{GameSpec: game, Algorithm: algorithm}, train.Options{})
//	defer t.Close()
//	s := train.NewSession(t, train.SessionOptions{File: "leduc.strategy", Goal: train.Goal{Iterations: 1000}})
//	_, err = s.Resume()
//	progress, err := s.Run(ctx)
//
// Algorithms are entries of one list, the registry of algorithm.go: those in vector
// form of package cfr, the samplings of package mccfr, and the algorithms of package
// reis. A variant that is added there, or to the lists of cfr and mccfr, can be
// trained, named in help texts and kept in files without further changes.
//
// The package writes no log and knows no flags: it calls back, and its errors are
// typed.
package train
