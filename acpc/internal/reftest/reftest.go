// Package reftest stands in for gamebots/acpc/reftest until all tests import
// that.
package reftest

import "gamebots/acpc/reftest"

var (
	Dir   = reftest.Dir
	Files = reftest.Files
)
