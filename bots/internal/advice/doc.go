// Package advice judges decisions in poker by a strategy, for gamebots/bots/poker/table:
// how often the strategy would take each action, what each action wins on average if all
// go on by the strategy, and what a match would have been won or lost by without luck.
package advice
