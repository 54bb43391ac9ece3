// Package sites has what adapters to web sites share: how a site is asked and asked again, the key that it gave to a
// person, the log of the hands, and what was won.
//
// A [Client] makes requests with JSON and a User-Agent of its own. It keeps to the rate of a site and waits as long as
// a busy site asks. Get repeats a request until it is answered. Post repeats one only if the site says that it did
// nothing, because most sites count an action that comes twice. After another error [Unsettled] reports whether the
// site may have done what it was asked: an adapter then looks what has become of the hand before it goes on.
//
//	key, err := sites.ReadKey(file, "NAME_API_KEY")
//	…
//	client := &sites.Client{URL: "https://…", Agent: "gamebots/1.0", Key: key, KeyHeader: "X-API-Key",
//		Timeout: time.Minute}
//	var hand struct { ID int `json:"hand_id"` }
//	err = client.Post(ctx, "/hands", map[string]string{"game_name": "…"}, &hand)
//
// When the context of a request ends, the client makes no other one, and gives that in flight a moment for its answer:
// an interrupted program ends within a second and rarely leaves a hand of unknown state.
//
// [ReadHand] plays the actions of a hand of poker, whose amounts count by round, and checks it by the rules.
//
// A [Key] is never in a text: it prints as "key", and answers that repeat it are cleaned. A [Log] keeps finished hands
// in a file, which a later run can continue even if the program was killed while it wrote. [Winnings] sums what was
// won, in chips and by estimates without luck, with intervals.
//
// docs/adapters.md says how a site is added.
package sites
