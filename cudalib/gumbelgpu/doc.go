// Package gumbelgpu searches many positions of Havannah at once on a GPU, as
// solvers/havannah does, for a network on the same device.
package gumbelgpu
