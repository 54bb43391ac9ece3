package cfr

// portably runs f with the portable kernels.
func portably(f func()) {
	before := useAVX2
	useAVX2 = false
	defer func() { useAVX2 = before }()
	f()
}
