//go:build unix && !linux

package proc

import "syscall"

// killWithParent does nothing where the system has no such thing.
func killWithParent(*syscall.SysProcAttr) {}
