//go:build unix && !linux

package proc

import "syscall"

// dieWithUs does nothing where the system has no such thing.
func dieWithUs(*syscall.SysProcAttr) {}
