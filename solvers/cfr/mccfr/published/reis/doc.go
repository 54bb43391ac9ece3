// Package reis trains strategies as the programs of Reis do, "A GPU implementation
// of counterfactual regret minimization" (Porto, 2015): by chance sampling
// (Zinkevich et al., NIPS 2007) with simultaneous updates and uniform averaging. A
// step deals once, goes through all betting sequences, and updates the regrets of
// all players. The thesis's poker variants come with this program as reis-a to
// reis-d.
//
// [DepthFirst] and [LevelOrder] are its programs for the CPU. The first traverses
// the tree depth first in one thread, the second level by level in several. [NewGPU]
// makes its program for GPUs.
//
// [DealBatch] goes further: a batch of deals at once, on the CPU, and with the same
// bits on a GPU ([NewDealBatchGPU]). A GPU needs batches of hundreds of deals to be
// busy.
//
// All of them have the same bits for any number of threads, and whether or not they
// were interrupted, see package mccfr. One deal at a time, all of them have the bits
// of DepthFirst.
package reis
