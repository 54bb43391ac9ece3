// Package filelock keeps two programs from using one resource, by a lock of the
// operating system on a file beside it. The lock ends with the program, however
// that ends; the file stays.
package filelock
