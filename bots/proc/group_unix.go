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

// Terminate and Kill end what is running of the group, or nothing: the error says only
// that nobody is left in it. Ask has them end themselves.
func (g *Group) Terminate() { _ = syscall.Kill(-g.Pid, syscall.SIGTERM) }

// Kill ends the group at once.
func (g *Group) Kill() { _ = syscall.Kill(-g.Pid, syscall.SIGKILL) }

// Alive says whether anybody of the group is left.
func (g *Group) Alive() bool { return syscall.Kill(-g.Pid, 0) == nil }
