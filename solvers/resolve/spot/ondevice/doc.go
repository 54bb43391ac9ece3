// Package ondevice lets package spot solve on a GPU, so that spot, and who solves at the table, link
// no kernels.
package ondevice
