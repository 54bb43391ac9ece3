package proc

import "syscall"

// dieWithUs has a program killed when its parent ends. What it has started itself
// is not, and has to notice.
func dieWithUs(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
