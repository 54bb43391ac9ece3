// Package mccfrgpu trains poker games on a GPU by Monte-Carlo counterfactual
// regret minimisation: [DealBatch] by batches of sampled deals, for any number of
// players, and [PublicChance] by batches of sampled boards, for two.
package mccfrgpu
