package driver

// Symbols returns the names of all functions that are looked up.
func Symbols() []string { return symbols }

// ParseSignatures finds the kernels of a module for Load.
var ParseSignatures = parseSignatures
