//go:build !unix

package proc

import "os/exec"

// Without process groups only the program itself can be ended, and not be asked
// to.

// OwnGroup does nothing.
func OwnGroup(*exec.Cmd) {}

// AskGroup does nothing.
func AskGroup(*exec.Cmd) {}

// KillGroup ends the program.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// GroupLeft does not know, and says no.
func GroupLeft(*exec.Cmd) bool { return false }
