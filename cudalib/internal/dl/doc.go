// Package dl opens shared libraries and calls their functions without cgo. Its files
// are all that differs between systems, and between programs with and without GPU
// support.
package dl
