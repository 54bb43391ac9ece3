// Package boards brings the rules of this house to the server: Havannah, Nim, and what
// all adapters share.
package boards
