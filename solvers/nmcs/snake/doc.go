// Package snake searches for long snakes in the box, and coils, by the algorithms of Buzer and
// Cazenave, "GPU for Monte Carlo Search" (2022): see package cube for the rules.
//
// [Run] makes runs of nested Monte-Carlo search or of nested rollout policy adaptation (package
// nmcs) on threads, and [DeviceRuns] makes those of nested search on a GPU. [Save] and [Load]
// keep their tally in a checkpoint. [Beam] and [DeviceBeam] extend paths edge by edge, and keep
// those from whose head most vertices can be reached. All can begin with a given sequence, the
// prime. A GPU returns the same sequences as the CPU.
//
// Searches that find longer snakes and coils than these are in package records, which also has
// what "gamebots solve snake" does: a whole search by any algorithm.
package snake
