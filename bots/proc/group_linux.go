package proc

import "syscall"

// killWithParent has Linux kill a program when its parent ends. The program's
// children live on.
func killWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
