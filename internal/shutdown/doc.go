// Package shutdown knows whether this program has been asked to end, and what it must finish before it does.
//
//	done := shutdown.Inhibit("writing leduc.strategy")
//	defer done()
//
// The command line ends a command soon after Ctrl-C, whatever it computes, but not while something is inhibited: then
// it says what, and waits. All that may be dropped needs no inhibitor. From [Begin] on, [Wait] has little patience with
// other programs.
package shutdown
