package vectors

import "golang.org/x/sys/cpu"

// UseAVX2 and UseAVX512 are variables so that tests can compare the versions. Nothing else sets them.
var (
	UseAVX2   = cpu.X86.HasAVX2
	UseAVX512 = cpu.X86.HasAVX512F
)

// Portably runs f with the portable loops. It is for tests.
func Portably(f func()) {
	before := UseAVX2
	UseAVX2 = false
	defer func() { UseAVX2 = before }()
	WithoutAVX512(f)
}

// WithoutAVX512 runs f with the loops of older processors. It is for tests.
func WithoutAVX512(f func()) {
	before := UseAVX512
	UseAVX512 = false
	defer func() { UseAVX512 = before }()
	f()
}

// few reports whether AVX-512 does a decision: one with few actions, whose buckets fill registers.
func few(n, actions int) bool { return UseAVX512 && n%16 == 0 && actions >= 2 && actions <= 4 }

//go:noescape
func matchOtherFew(regret, in, out *float32, n, actions, entryStride, frameStride int, uniform float32)

//go:noescape
func matchOwnFew(regret, sum, in, sigma, out *float32, n, actions, entryStride, frameStride int, uniform, decay float32)

//go:noescape
func updateOwnFew(
	regret, sigma, child, value *float32, n, actions, entryStride, frameStride int, positive, negative, floor float32,
)

//go:noescape
func matchOtherAVX2(regret, in, out *float32, n, actions, entryStride, frameStride int, uniform float32)

//go:noescape
func matchOwnAVX2(
	regret, sum, in, sigma, out *float32, n, actions, entryStride, frameStride int, uniform, decay float32,
)

//go:noescape
func updateOwnAVX2(
	regret, sigma, child, value *float32, n, actions, entryStride, frameStride int, positive, negative, floor float32,
)

//go:noescape
func predictAVX2(
	regret, predicted, child, value *float32, n, actions, entryStride, frameStride int, kept, part float32,
)

//go:noescape
func sumOtherAVX2(child, value *float32, n, actions, frameStride int)

//go:noescape
func meanAVX2(sigma, child, value *float32, n, actions, frameStride int)

//go:noescape
func lookUpAVX2(table, index *uint32, out *float32, n, actions, frameStride, lines int)

//go:noescape
func foldOneAVX2(value, size, reach *float32, n int, amount float32)

// MatchOther sets out[a] = in * strategy[a]. The strategy is proportional to the
// positive regrets, and uniform where there are none (regret matching).
func MatchOther(regret, in, out []float32, actions, entryStride, frameStride int) {
	uniform := 1 / float32(actions)
	switch {
	case few(len(in), actions):
		matchOtherFew(&regret[0], &in[0], &out[0], len(in), actions, entryStride, frameStride, uniform)
	case UseAVX2:
		matchOtherAVX2(&regret[0], &in[0], &out[0], len(in), actions, entryStride, frameStride, uniform)
	default:
		matchOtherGo(regret, in, out, actions, entryStride, frameStride)
	}
}

// MatchOwn is MatchOther that also stores the strategy in sigma, and adds out
// to the sum of strategies, which it multiplies by decay first.
func MatchOwn(regret, sum, in, sigma, out []float32, actions, entryStride, frameStride int, decay float32) {
	uniform := 1 / float32(actions)
	switch {
	case few(len(in), actions):
		matchOwnFew(&regret[0], &sum[0], &in[0], &sigma[0], &out[0], len(in), actions, entryStride,
			frameStride, uniform, decay)
	case UseAVX2:
		matchOwnAVX2(&regret[0], &sum[0], &in[0], &sigma[0], &out[0], len(in), actions, entryStride,
			frameStride, uniform, decay)
	default:
		matchOwnGo(regret, sum, in, sigma, out, actions, entryStride, frameStride, decay)
	}
}

// UpdateOwn sets value to the mean of the children's values under the strategy,
// and adds each action's advantage over it to the discounted regrets.
func UpdateOwn(regret, sigma, child, value []float32, actions, entryStride, frameStride int, r Discounts) {
	switch {
	case few(len(value), actions):
		updateOwnFew(&regret[0], &sigma[0], &child[0], &value[0], len(value), actions, entryStride, frameStride,
			r.Positive, r.Negative, r.Floor)
	case UseAVX2:
		updateOwnAVX2(&regret[0], &sigma[0], &child[0], &value[0], len(value), actions, entryStride, frameStride,
			r.Positive, r.Negative, r.Floor)
	default:
		updateOwnGo(regret, sigma, child, value, actions, entryStride, frameStride, r)
	}
}

// Predict sets the regrets that the next strategy is matched to: the stored ones
// plus, once more, their last increment, both times a factor of the discounts.
func Predict(regret, predicted, child, value []float32, actions, entryStride, frameStride int, r Discounts) {
	if !UseAVX2 {
		predictGo(regret, predicted, child, value, actions, entryStride, frameStride, r)
		return
	}
	predictAVX2(&regret[0], &predicted[0], &child[0], &value[0], len(value), actions, entryStride, frameStride,
		r.Kept, r.Predicted)
}

// SumOther sets value to the sum of the children's values. At another player's
// decision these already contain the strategy, by way of the reach.
func SumOther(child, value []float32, actions, frameStride int) {
	if !UseAVX2 {
		sumOtherGo(child, value, actions, frameStride)
		return
	}
	sumOtherAVX2(&child[0], &value[0], len(value), actions, frameStride)
}

// Mean sets value to the mean of the children's values under a strategy.
func Mean(sigma, child, value []float32, actions, frameStride int) {
	if !UseAVX2 {
		meanGo(sigma, child, value, actions, frameStride)
		return
	}
	meanAVX2(&sigma[0], &child[0], &value[0], len(value), actions, frameStride)
}

// LookUp sets out[a] to byte a of the entries of a table that an index has: weights of up to four
// actions by bucket become those of hands.
func LookUp(table, index []uint32, out []float32, actions, frameStride int) {
	if !UseAVX2 {
		lookUpGo(table, index, out, actions, frameStride)
		return
	}
	lookUpAVX2(&table[0], &index[0], &out[0], len(index), actions, frameStride, len(table)/16)
}

// FoldOne sets value to the value of a fold with one hole card, on one board: amount
// times the reach of all hands of the other player but the card that the player
// holds. size is the number of hands in each bucket.
func FoldOne(value, size, reach []float32, amount float32) {
	if !UseAVX2 {
		FoldOnePortable(value, size, reach, amount)
		return
	}
	foldOneAVX2(&value[0], &size[0], &reach[0], len(reach), amount)
}
