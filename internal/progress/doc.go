// Package progress shows how far work is, on a terminal, and has it logged elsewhere.
package progress
