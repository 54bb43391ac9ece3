// Package abstractplay lets a bot play Havannah at Abstract Play (play.abstractplay.com), a site of turn-based games
// with clocks of hours and days.
//
// The site calls the bot by HTTP, at an address that its owner registers. [Bot] answers:
//
//	GET                                                             a ping: 200 {"operational":true}
//	POST {"verb":"challenge","variants":["size-6"],…}               200 accepts, 400 refuses, at once
//	POST {"verb":"move","gameid":…,"moves":[["d7","f4"],["a4"]],…}  202 at once, and the move later
//
// A POST is signed by Ed25519 over "timestamp.nonce.body", with the key that the site publishes. A signature of more
// than five minutes ago and a nonce that has been used are refused, also after a restart. The bot makes a move by a
// call to the site ([Site]), with a token that it gets for its id and secret.
//
// # Guarantees
//
// What the bot is asked is in the state's file before the 202, and a move before it is sent. So a bot that is killed at
// any time goes on where it was. It never sends two moves for a position, and answers a position that it is asked about
// again only once. A move is sent until the site has read it, because the site does not ask for it again.
//
// # Havannah there
//
// No variant is a board of side 8. After the first stone the second player may exchange the two players ("pie"). The
// history stays the same, so the bot's colour is never that of a seat: it is that of who is to move. A bot cannot
// exchange, offer or take a draw, or claim a win on time: the site has no call for it. It resigns by the move "resign".
//
// docs/abstractplay.md has an example of every message.
package abstractplay
