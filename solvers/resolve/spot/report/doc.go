// Package report writes what a [spot.Solution] has at some points of a spot: as text with grids and
// tables, as CSV, and as JSON. The CSV, edited, is read as locks of strategies.
package report
