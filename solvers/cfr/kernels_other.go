//go:build !amd64

package cfr

func matchOther(regret, in, out []float32, actions, entryStride, frameStride int) {
	matchOtherGo(regret, in, out, actions, entryStride, frameStride)
}

func matchOwn(regret, sum, in, sigma, out []float32, actions, entryStride, frameStride int, decay float32) {
	matchOwnGo(regret, sum, in, sigma, out, actions, entryStride, frameStride, decay)
}

func updateOwn(regret, sigma, child, value []float32, actions, entryStride, frameStride int, r rates) {
	updateOwnGo(regret, sigma, child, value, actions, entryStride, frameStride, r)
}

func predict(regret, predicted, child, value []float32, actions, entryStride, frameStride int) {
	predictGo(regret, predicted, child, value, actions, entryStride, frameStride)
}

func sumOther(child, value []float32, actions, frameStride int) {
	sumOtherGo(child, value, actions, frameStride)
}

func foldOne(value, size, reach []float32, amount float32) {
	foldOneGo(value, size, reach, amount)
}
