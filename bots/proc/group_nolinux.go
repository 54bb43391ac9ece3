//go:build unix && !linux

package proc

import "syscall"

// killWithParent does nothing: the system cannot.
func killWithParent(*syscall.SysProcAttr) {}
