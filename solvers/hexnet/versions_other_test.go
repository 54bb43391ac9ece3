//go:build !amd64

package hexnet

// setAVX2 does nothing: there is one version.
func setAVX2(bool) (was bool) { return false }
