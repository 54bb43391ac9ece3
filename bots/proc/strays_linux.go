package proc

import (
	"bytes"
	"crypto/rand"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// mark gives a program a variable of the environment, which all of its children inherit.
func mark(cmd *exec.Cmd) string {
	m := "GAMEBOTS_PROGRAM_" + rand.Text() + "=1"
	cmd.Env = append(cmd.Environ(), m)
	return m
}

// killMarked kills the children of a program that have left its process group, as daemons do. To be
// quick it looks at processes with higher ids only, and so finds none after the ids have begun anew.
func killMarked(mark string, program int) {
	processes, _ := os.ReadDir("/proc") // without it nothing can be found
	for _, p := range processes {
		pid, err := strconv.Atoi(p.Name())
		if err != nil || pid <= program {
			continue
		}
		environment, err := os.ReadFile("/proc/" + p.Name() + "/environ")
		if err == nil && bytes.Contains(environment, []byte(mark)) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // an error means that it has ended
		}
	}
}
