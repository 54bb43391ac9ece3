//go:build !amd64

package vectors

// MatchOther sets out[a] = in * strategy[a]. The strategy is proportional to the
// positive regrets, and uniform where there are none (regret matching).
func MatchOther(regret, in, out []float32, actions, entryStride, frameStride int) {
	matchOtherGo(regret, in, out, actions, entryStride, frameStride)
}

// MatchOwn is MatchOther that also stores the strategy in sigma, and adds out
// to the sum of strategies, which it multiplies by decay first.
func MatchOwn(regret, sum, in, sigma, out []float32, actions, entryStride, frameStride int, decay float32) {
	matchOwnGo(regret, sum, in, sigma, out, actions, entryStride, frameStride, decay)
}

// UpdateOwn sets value to the mean of the children's values under the strategy,
// and adds each action's advantage over it to the discounted regrets.
func UpdateOwn(regret, sigma, child, value []float32, actions, entryStride, frameStride int, r Discounts) {
	updateOwnGo(regret, sigma, child, value, actions, entryStride, frameStride, r)
}

// Predict sets the regrets that the next strategy is matched to: the stored ones
// plus, once more, their last increment, both times a factor of the discounts.
func Predict(regret, predicted, child, value []float32, actions, entryStride, frameStride int, r Discounts) {
	predictGo(regret, predicted, child, value, actions, entryStride, frameStride, r)
}

// SumOther sets value to the sum of the children's values. At another player's
// decision these already contain the strategy, by way of the reach.
func SumOther(child, value []float32, actions, frameStride int) {
	sumOtherGo(child, value, actions, frameStride)
}

// Mean sets value to the mean of the children's values under a strategy.
func Mean(sigma, child, value []float32, actions, frameStride int) {
	meanGo(sigma, child, value, actions, frameStride)
}

// LookUp sets out[a] to byte a of the entries of a table that an index has: weights of up to four
// actions by bucket become those of hands.
func LookUp(table, index []uint32, out []float32, actions, frameStride int) {
	lookUpGo(table, index, out, actions, frameStride)
}

// FoldOne sets value to the value of a fold with one hole card, on one board: amount
// times the reach of all hands of the other player but the card that the player
// holds. size is the number of hands in each bucket.
func FoldOne(value, size, reach []float32, amount float32) {
	FoldOnePortable(value, size, reach, amount)
}

// Portably runs f with the portable loops. It is for tests.
func Portably(f func()) { f() }

// WithoutAVX512 runs f. It is for tests.
func WithoutAVX512(f func()) { f() }
