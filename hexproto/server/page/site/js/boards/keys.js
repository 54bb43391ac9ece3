// isStep reports whether a key on the board steps through the moves of the game. While a
// move can be chosen, seat is not null and the keys move over the board. With Shift they
// always do.
export function isStep({ key, shiftKey }, seat) {
  return seat === null && !shiftKey && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(key);
}
