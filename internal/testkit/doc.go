// Package testkit has what tests of several packages share: the second tier of the tests, reference data, free ports,
// and jumps of the system's clock.
//
// The first tier of the tests is what everybody runs before a commit: all that a test shows, with small sizes. The
// second tier, selected by GAMEBOTS_SLOW=1, adds what takes long: large sizes, and repetitions under other tools.
// "make test-slow" and ".ci/run" run it. Tests named TestReference compare with reference data; without it they are
// skipped.
package testkit
