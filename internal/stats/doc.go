// Package stats has the statistics of matches and samples: running means with
// confidence intervals, Student's and Wilson's intervals, Elo, and the decision of a
// sequential probability ratio test.
package stats
