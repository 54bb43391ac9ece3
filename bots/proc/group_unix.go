//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	killWithParent(cmd.SysProcAttr)
}

// Terminate sends SIGTERM to the group. Its error would only mean that no process is
// left.
func (g *Group) Terminate() { _ = syscall.Kill(-g.Pid, syscall.SIGTERM) }

// Kill sends SIGKILL to the group, and to the program's children that have left it.
func (g *Group) Kill() {
	_ = syscall.Kill(-g.Pid, syscall.SIGKILL)
	killMarked(g.mark, g.Pid)
}

// Alive reports whether any process of the group is left.
func (g *Group) Alive() bool { return syscall.Kill(-g.Pid, 0) == nil }
