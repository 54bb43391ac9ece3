// Package figures writes the figures of results for people: counts, chips a hand, and intervals.
package figures
