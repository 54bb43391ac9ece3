// Package reportcard judges anybody's poker bot of a game for two, and writes one HTML page about it:
//
//	card, err := reportcard.Judge(ctx, &reportcard.Spec{Game: game, Command: command, …})
//	err = card.WriteHTML(file)
//
// A bot is a player of the ACPC's protocol, or an agent that states probabilities (package agent). An agent is
// evaluated exactly in a small game, and by local best responses in others. Both play duplicate matches against bots
// that come with the program, whose luck AIVAT removes. The card also has how the bot behaves: what it does against the
// rules, how long it thinks, and whether it crashes.
package reportcard
