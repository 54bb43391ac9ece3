// Package memo keeps values that are expensive to compute or to fetch, such as the part of the
// parameters that the jobs of a run share.
package memo
