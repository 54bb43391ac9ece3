// Package beam is beam search for paths in a cube, on threads of the CPU and on a device.
//
// [Run] extends all paths of a [Problem] by one edge, and keeps the best of the longer ones, as
// many as its width. The possible continuations of a path depend on its state: its head, the free
// vertices that can be reached from there, and the dimensions that it has used. One of the paths
// with the same state is kept. More reachable vertices are better, and ties are broken by a hash
// of the state, which depends on the seed. Of paths with the same state, the one whose edges have
// the lowest hash stays. Results therefore depend neither on threads nor on the device.
//
// With a goal, only paths that lead to it count. The vertices beside the goal are gates. A path
// that enters one is complete, and paths that can reach none are dropped.
package beam
