// Package ondevice lets package resolve solve on a GPU, so that who solves at the table links no kernels.
package ondevice
