package cfr

import "golang.org/x/sys/cpu"

// useAVX2 is a variable so that tests can hold both versions side by side.
var useAVX2 = cpu.X86.HasAVX2

//go:noescape
func matchOtherAVX2(regret, in, out *float32, n, actions, entryStride, frameStride int, uniform float32)

//go:noescape
func matchOwnAVX2(regret, sum, in, sigma, out *float32, n, actions, entryStride, frameStride int, uniform, decay float32)

//go:noescape
func updateOwnAVX2(regret, sigma, child, value *float32, n, actions, entryStride, frameStride int, positive, negative, floor float32)

//go:noescape
func predictAVX2(regret, predicted, child, value *float32, n, actions, entryStride, frameStride int)

//go:noescape
func sumOtherAVX2(child, value *float32, n, actions, frameStride int)

//go:noescape
func foldOneAVX2(value, size, reach *float32, n int, amount float32)

func matchOther(regret, in, out []float32, actions, entryStride, frameStride int) {
	if !useAVX2 {
		matchOtherGo(regret, in, out, actions, entryStride, frameStride)
		return
	}
	matchOtherAVX2(&regret[0], &in[0], &out[0], len(in), actions, entryStride, frameStride, 1/float32(actions))
}

func matchOwn(regret, sum, in, sigma, out []float32, actions, entryStride, frameStride int, decay float32) {
	if !useAVX2 {
		matchOwnGo(regret, sum, in, sigma, out, actions, entryStride, frameStride, decay)
		return
	}
	matchOwnAVX2(&regret[0], &sum[0], &in[0], &sigma[0], &out[0], len(in), actions, entryStride, frameStride,
		1/float32(actions), decay)
}

func updateOwn(regret, sigma, child, value []float32, actions, entryStride, frameStride int, r rates) {
	if !useAVX2 {
		updateOwnGo(regret, sigma, child, value, actions, entryStride, frameStride, r)
		return
	}
	updateOwnAVX2(&regret[0], &sigma[0], &child[0], &value[0], len(value), actions, entryStride, frameStride,
		r.positive, r.negative, r.floor)
}

func predict(regret, predicted, child, value []float32, actions, entryStride, frameStride int) {
	if !useAVX2 {
		predictGo(regret, predicted, child, value, actions, entryStride, frameStride)
		return
	}
	predictAVX2(&regret[0], &predicted[0], &child[0], &value[0], len(value), actions, entryStride, frameStride)
}

func sumOther(child, value []float32, actions, frameStride int) {
	if !useAVX2 {
		sumOtherGo(child, value, actions, frameStride)
		return
	}
	sumOtherAVX2(&child[0], &value[0], len(value), actions, frameStride)
}

func foldOne(value, size, reach []float32, amount float32) {
	if !useAVX2 {
		foldOneGo(value, size, reach, amount)
		return
	}
	foldOneAVX2(&value[0], &size[0], &reach[0], len(reach), amount)
}
