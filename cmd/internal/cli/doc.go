// Package cli has what the command lines of all programs share: how they start and end, print
// errors, hints and usage, which flags each of them has, which build they are, and where they
// find each other.
//
// Results go to standard output, logs and progress to standard error. The exit status is
// [ExitDone] for success, [ExitFailed] for failure and [ExitUsage] for a command line that was
// not understood.
package cli
