// legalMoves returns the legal moves of a seat that is to move. Where both seats move,
// the second may have other moves than the first (docs/hexproto.md, "Boards and views").
export function legalMoves(view, seat) {
  return (seat === 1 && view.legal_second) || view.legal;
}
