//go:build !linux

package mcts

func largePages[T any]([]T) {}
