// Package gridflags has the flags of commands that share their work with other machines, and the kinds
// of jobs that they and the workers know.
package gridflags
