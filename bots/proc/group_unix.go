//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithUs(cmd.SysProcAttr)
}

// Ask and Kill end what is running of the group, or nothing: the error says only
// that nobody is left in it. Ask has them end themselves.
func (g *Group) Ask() { _ = syscall.Kill(-g.Pid, syscall.SIGTERM) }

// Kill ends the group at once.
func (g *Group) Kill() { _ = syscall.Kill(-g.Pid, syscall.SIGKILL) }

// Left says whether anybody of the group is left.
func (g *Group) Left() bool { return syscall.Kill(-g.Pid, 0) == nil }
