//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

// OwnGroup makes a command the first of a process group, so that signals reach
// what it starts as well.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// AskGroup and KillGroup end a running group, or none: its error says only
// that nobody is left in it.
func AskGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// KillGroup ends it at once.
func KillGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// GroupLeft says whether anybody of a group is left.
func GroupLeft(cmd *exec.Cmd) bool { return syscall.Kill(-cmd.Process.Pid, 0) == nil }
