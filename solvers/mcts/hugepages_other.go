//go:build !linux

package mcts

func useHugePages[T any]([]T) {}
