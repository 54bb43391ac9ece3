// Package registry has the games and bots of gamebots by their names.
package registry
