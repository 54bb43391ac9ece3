//go:build !unix

package proc

import (
	"os"
	"os/exec"
)

// Without process groups only the program itself can be killed, and nothing can be
// terminated gently.

func setProcessGroup(*exec.Cmd) {}

// Terminate does nothing.
func (g *Group) Terminate() {}

// Kill kills the program.
func (g *Group) Kill() {
	select {
	case <-g.ended: // its id may be reused by now
	default:
		if p, err := os.FindProcess(g.Pid); err == nil {
			_ = p.Kill()
		}
	}
}

// Alive returns false.
func (g *Group) Alive() bool { return false }
