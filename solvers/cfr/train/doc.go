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
// [Description] is the same in words. [OpenOn] makes a [Training] of it for one's own loop, on a GPU
// where that pays, and [Open] on the CPU. A [Session] is a training on its way to a [Goal], with a
// clock, as the hooks of Run see it.
//
// Algorithms are entries of one list, the registry of algorithm.go. A variant of a family, such as
// one more in the list of package cfr, can be trained, named in help texts and kept in files without
// further changes. Each family lays games out for a backend (backend.go), which has the CPU and the
// devices: vector.go for package cfr, sampled.go for packages mccfr and reis, boards.go for packages
// pcs and cfrbr, and tree.go for extensive games. What uses a backend does not ask which one it is.
//
// The package writes no log and knows no flags: it calls back, and its errors are
// typed.
//
// docs/api.txt lists the names of this package that are kept.
package train
