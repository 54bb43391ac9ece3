// Package gtowizard plays heads-up no-limit hold'em against GTO Wizard AI, over the HTTP interface of GTO Wizard
// Benchmark (https://researcher.gtowizard.com/docs).
//
// A [Match] plays hands by a [sites.Client] whose requests have the header X-API-Key:
//
//	POST /hands                 {"game_name": "HUNL 200BB"}           begins a hand
//	POST /hands/ID/act          {"action": "b", "amount": 300}        takes an action: f, k, c, or b and chips
//	GET  /hands/in-progress?game_name=…                               lists the hands that are not over
//	GET  /results?game_name=…                                         sums all hands of the key
//
// The first two answer with the whole hand, the third with a list of them:
//
//	{"hand_id": 7, "game": {"game_name": "HUNL 200BB", "starting_stack": 20000.0, "blinds": [100.0, 50.0], …},
//	 "game_state": {"street": "preflop", "common_pot": 0.0, "total_pot": 375.0, "board_cards": "",
//	  "is_hand_over": false, "players": [
//	   {"name": "us", "stack": 19900.0, "position": "BB", "hole_cards": "2s2c"},
//	   {"name": "GTO Wizard", "stack": 19725.0, "position": "SB", "hole_cards": null}],
//	  "legal_actions": ["f", "c", "b"], "raise_range": {"min": 450.0, "max": 20000.0}, "action_history": ["b275"],
//	  "has_gto_wizard_folded": false, "winnings": null, "aivat_score": null}}
//
// The blinds are 100 and 50, the big one first, and both players have 20,000 chips in each hand. SB is the button.
// k checks, c calls, f folds, and b275 bets or raises so that the player has put 275 chips into this round; _ ends a
// round. At the end winnings and aivat_score are ours, in chips, and both hands are shown.
//
// At most [MaxConcurrent] hands are open for a key: another one is refused with status 409. An action on a hand that is
// over has that status, too. 502, 503 and 504 mean that the engine or a gateway is busy; 429 asks for a pause. A
// request without a User-Agent of its own is refused with 403, and a new key may take a day until it is known (401).
//
// Only the answer to its last action says how a hand ended. So an action is not simply repeated where the answer is
// missing: the list of hands in progress says whether it was taken. If the hand is no longer there, it is over and
// counts as lost: the site counts it, and we do not know its result.
//
// Answers are not trusted. A hand that goes against the rules, contradicts what was said before, or pays other chips
// than its cards win is a [sites.AnswerError].
package gtowizard
