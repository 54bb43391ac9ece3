//go:build !unix

package proc

import (
	"os"
	"os/exec"
)

// Without process groups only the program itself can be ended, and not be asked
// to.

func setProcessGroup(*exec.Cmd) {}

// Ask does nothing.
func (g *Group) Terminate() {}

// Kill ends the program.
func (g *Group) Kill() {
	select {
	case <-g.ended: // its number may be another's now
	default:
		if p, err := os.FindProcess(g.Pid); err == nil {
			_ = p.Kill()
		}
	}
}

// Left does not know, and says no.
func (g *Group) Alive() bool { return false }
