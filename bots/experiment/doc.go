// Package experiment compares algorithms by the curves of many trainings.
//
// A [Plan] lists the trainings of an experiment: a [Series] for each game and algorithm, with
// a [Run] for each seed. [Results.Complete] has those done, on threads or machines, whose
// curves a file does not have yet, and adds each to the file as soon as it is done. So an
// experiment can be interrupted and extended, and no result is lost or done twice:
//
//	plan, err := experiment.NewPlan(&settings)
//	results, err := experiment.Open("leduc/runs.jsonl", version)
//	defer results.Close()
//	err = results.Complete(ctx, grid, plan, nil)
//	rows := results.Summarize(plan)
//
// A [Folder] does all of that in one call, and keeps the means beside the curves. A [Row] has the mean of a series
// after some iterations, and its 95% interval.
package experiment
