package proc

import "syscall"

// killWithParent has a program killed when its parent ends. What it has started itself
// is not, and has to notice.
func killWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
