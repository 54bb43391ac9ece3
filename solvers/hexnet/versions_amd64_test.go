package hexnet

// setAVX2 chooses the version of the inner loops, if the processor has it, and returns the
// choice before.
func setAVX2(use bool) (was bool) {
	was = useAVX2
	useAVX2 = use && hasAVX2
	return was
}

var hasAVX2 = useAVX2
