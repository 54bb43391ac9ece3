package tiles

// portably runs f with the portable loops.
func portably(f func()) {
	before := useAVX2
	useAVX2 = false
	defer func() { useAVX2 = before }()
	f()
}
