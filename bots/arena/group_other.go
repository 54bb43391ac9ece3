//go:build !unix

package arena

import "os/exec"

// Without process groups only the bot itself can be ended, and not be asked to.

func ownGroup(*exec.Cmd)      {}
func askGroup(*exec.Cmd)      {}
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
