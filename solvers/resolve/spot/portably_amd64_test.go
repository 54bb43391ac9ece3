package spot

// portably runs f with the portable loops.
func portably(f func()) {
	before := useAVX2
	useAVX2 = false
	defer func() { useAVX2 = before }()
	f()
}

// withoutAVX512 runs f with the loops of older processors.
func withoutAVX512(f func()) {
	before := useAVX512
	useAVX512 = false
	defer func() { useAVX512 = before }()
	f()
}
