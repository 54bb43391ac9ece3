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

// signal sends a signal to the group, if any process of it is left.
func (g *Group) signal(s syscall.Signal) error {
	select {
	case <-g.ended:
		if syscall.Kill(g.Pid, 0) == nil {
			return syscall.ESRCH // another program has the id, which it got only once nothing was left of the group
		}
	default:
	}
	return syscall.Kill(-g.Pid, s)
}

// Terminate sends SIGTERM to the group. Its error would only mean that no process is
// left.
func (g *Group) Terminate() { _ = g.signal(syscall.SIGTERM) }

// Kill sends SIGKILL to the group, and to the program's children that have left it.
func (g *Group) Kill() {
	_ = g.signal(syscall.SIGKILL)
	killMarked(g.mark, g.Pid)
}

// Alive reports whether any process of the group is left.
func (g *Group) Alive() bool { return g.signal(0) == nil }
