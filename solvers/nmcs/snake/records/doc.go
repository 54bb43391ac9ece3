// Package records has what "gamebots solve snake" does: a [Search] by the algorithms of package snake, with a
// checkpoint and progress.
package records
