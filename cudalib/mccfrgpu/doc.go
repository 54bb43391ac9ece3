// Package mccfrgpu trains poker games on a GPU by Monte-Carlo counterfactual
// regret minimisation: [DealBatch] by batches of sampled deals, for any number of
// players.
package mccfrgpu
