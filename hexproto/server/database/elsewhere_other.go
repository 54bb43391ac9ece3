//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package database

// openElsewhere reports whether another program has a database with a log open, where that can be known.
func openElsewhere(string) bool { return false }

// openLinked reports whether one has it open whose file has hard links.
func openLinked(string) bool { return false }

// keepOwner gives a file the owner of another one.
func keepOwner(string, string) {}
