// Package spotgpu solves spots of no-limit hold'em on a GPU, with all entries and vectors in its
// memory. Package spot is the CPU reference implementation.
package spotgpu
