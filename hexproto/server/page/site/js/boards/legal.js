// legalMoves returns the moves of a seat that is to move: where both are, the second
// may have others (docs/hexproto.md, "Boards and views").
export function legalMoves(view, seat) {
  return (seat === 1 && view.legal_second) || view.legal;
}
