package driver

// Symbols returns the names of all functions that are looked up.
func Symbols() []string { return symbols[:] }

// ParseSignatures is what Load finds the kernels by.
var ParseSignatures = parseSignatures
