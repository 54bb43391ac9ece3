//go:build unix

package arena

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a command the first of a process group, so that signals reach
// what it starts as well.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// askGroup and killGroup end a running group, or none: its error says only
// that nobody is left in it.
func askGroup(cmd *exec.Cmd)  { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
