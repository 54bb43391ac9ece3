// Seats and positions of poker. A hand's lists are by position; the button moves with each
// hand.

// seatAt returns the seat at a position of a hand.
export const seatAt = (hand, position) => (position + hand.hand) % hand.players.length;

// positionOf returns the position of a seat in a hand. Seats go round.
export const positionOf = (hand, seat) => (((seat - hand.hand) % hand.players.length) + hand.players.length) % hand.players.length;
