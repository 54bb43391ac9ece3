// Package ondevice trains and values strategies on a GPU as package cfr does on a CPU, so that
// who solves or values a game on a CPU links no kernels.
//
// A [Trainer] does the iterations of a cfr.Trainer, and an [Evaluator] values strategies. They
// support games of two players with one hole card or two, and their results have the same bits as
// those of the CPU: a block of threads takes one segment (a betting round after one sequence of
// earlier rounds) on some of the boards, and sums in the order of a cfr.Trainer. A game that fits
// in one multiprocessor is trained in one launch.
//
// [Responses] lets package bestresponse value boards on GPUs.
package ondevice
