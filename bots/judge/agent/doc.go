// Package agent speaks the protocol of agents: lines of JSON over standard input and output, in which a program in any
// language says with which probabilities it acts. docs/agents.md has it.
//
// An [Agent] is somebody's program. It is asked for all hands at a point of a game, as a [belief.Player], or for one
// hand, as an [acpc.Player] of [Agent.Seat]:
//
//	a := &agent.Agent{Command: []string{"python3", "uniform.py"}, Game: game, Patience: agent.DefaultPatience}
//	defer a.Close()
//	choices, err := a.Choices(ctx, &state)
//
// [Serve] is the other direction: it answers questions about a strategy, for programs in other languages.
//
// Nobody's answer is believed. [Agent.Ask] returns an [*AnswerError] with the line of an answer that comes too late, is
// malformed or too long, or has probabilities that are none, after it has ended the program.
package agent
