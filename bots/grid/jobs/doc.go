// Package jobs has the kinds of jobs that the commands of gamebots spread over
// workers.
package jobs
