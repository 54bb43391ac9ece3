// Package snake searches for long snakes in the box, and coils by the nested search of Buzer and
// Cazenave, "GPU for Monte Carlo Search" (2022): see package cube for the rules.
//
// [Run] makes runs of nested Monte-Carlo search (package nmcs) on threads, and [DeviceRuns] makes them on a
// GPU, with the same results. [Save] and [Load] keep their tally in a checkpoint. All can begin with a given
// sequence, the prime.
//
// [Search] is what "gamebots solve snake" does: a whole search, with a checkpoint and progress.
package snake
