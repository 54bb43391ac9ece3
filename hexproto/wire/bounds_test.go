package wire

// The bounds of fields: what the types do not say, and the server refuses or never
// sends. The keys are the name of a type and that of a field in JSON; with [] the bounds
// are those of the elements.
var bounds = map[string]object{
	"Game.seats":        {"minItems": 2},
	"Game.present":      {"minItems": 2},
	"Brief.seats":       {"minItems": 2},
	"Presence.present":  {"minItems": 2},
	"Result.score":      {"minItems": 2},
	"Rules.seats":       {"minItems": 2},
	"Hello.version":     {"const": Version},
	"Hello.name":        {"pattern": `^([A-Za-z0-9_-]{2,24})?$`},
	"Challenge.seat":    {"enum": []string{"", "first", "second", "random"}},
	"Challenge.tag":     {"maxLength": 64},
	"Challenge.players": {"minimum": 0, "maximum": 9},
	"Challenge.fill":    {"type": []string{"string", "array"}},
	"Clock.main":        clockTime,
	"Clock.increment":   clockTime,
	"Clock.per_move":    clockTime,
	"Decline.reason":    {"enum": Reasons},
	"Offer.offer":       offers,
	"Ignore.how":        {"enum": []string{"", IgnoreChat, IgnoreAll}},
	"Here.hand":         count,
	"Play.turn":         count,
	"Play.until":        count,
	"Analyse.turn":      count,
	"Explore.turn":      count,
	"Analysis.turn":     count,

	"Player.name":      {"pattern": `^[A-Za-z0-9_-]{2,24}$`},
	"Player.deviation": count,
	"Rating.deviation": count,
	"Rating.games":     count,
	"Move.turn":        count,
	"Move.seat":        seat,
	"Move.ms":          count,
	"Time.left[]":      count,
	"Result.winner":    {"minimum": -1, "maximum": 8},
	"Result.how": {
		"pattern": `^((ring|bridge|fork)(\+(ring|bridge|fork))*|full|last|payoff|chips|resign|time|agreement|abort)$`,
	},
	"Standing.seat":      seat,
	"Standing.turn":      count,
	"Standing.offer":     offers,
	"View.cells":         {"pattern": `^[.01]*$`},
	"Game.you":           {"minimum": -1, "maximum": 8},
	"Game.turn":          count,
	"Game.to_move[]":     seat,
	"Game.gone[]":        seat,
	"Game.away[]":        seat,
	"Game.watchers":      count,
	"Brief.turn":         count,
	"Brief.outcome":      {"enum": []string{"won", "lost", "drawn", "aborted"}},
	"Option.kind":        {"enum": []string{"int", "bool", "ints", "text", "choice"}},
	"Error.code":         {"enum": codes},
	"Error.retry":        count,
	"Lobby.connected":    count,
	"Lobby.running":      count,
	"Challenged.seat":    {"enum": []string{"first", "second", "random"}},
	"Closed.why":         {"enum": []string{"accepted", "declined", "cancelled", "gone"}},
	"Closed.reason":      {"enum": Reasons},
	"Position.turn":      count,
	"Position.to_move[]": seat,
	"Moved.turn":         count,
	"Moved.to_move[]":    seat,
	"Offered.seat":       seat,
	"Offered.offer":      offers,
	"Presence.watchers":  count,
	"Presence.gone[]":    seat,
	"Presence.away[]":    seat,
	"Connections.count":  {"minimum": 1},
	"Restart.retry":      count,
}

var (
	count     = object{"minimum": 0}
	seat      = object{"minimum": 0, "maximum": 8}
	offers    = object{"enum": []string{OfferDraw, OfferTakeback}}
	clockTime = object{"minimum": 0, "maximum": 31 * 24 * 3600 * 1000} // a month in milliseconds
	codes     = []string{
		BadMessage, UnknownType, BadVersion, BadToken, BadName, Banned, HelloFirst, NotFound, NotYours, WrongTurn,
		Illegal, GameOver, Refused, Duplicate, TooFast, TooMany, Internal,
	}
)
