//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package database

// openElsewhere reports whether another program has a database with a log open, where that can be known.
func openElsewhere(string) bool { return false }

// openByOtherName reports whether one has it open by a hard link.
func openByOtherName(string) bool { return false }
