// What the analyses of a game say about its moves: verdicts in words, the value of each
// position, and the mistakes.

export const percent = (value) => `${Math.round(100 * value)} %`;

const PROOFS = { win: ["wins", "W"], loss: ["loses", "L"], draw: ["draws", "="] };

// verdictOf formats the value of a rated move: "wins in 3" moves of its player, "loses
// in 2" of the opponent, or "62 %".
export function verdictOf({ value, proof, plies }) {
  const [words] = PROOFS[proof] ?? [];
  if (!words) return percent(value);
  return plies > 0 && proof !== "draw" ? `${words} in ${Math.ceil(plies / 2)}` : words;
}

// letterOf is verdictOf for a cell of a board.
export function letterOf({ value, proof }) {
  return PROOFS[proof]?.[1] ?? String(Math.round(100 * value));
}

// summaryOf says what all moves have in common, "" for nothing.
export function summaryOf(moves) {
  if (moves.length < 2 || !moves.every(({ proof }) => proof && proof === moves[0].proof)) return "";
  return `All ${moves.length} moves ${{ win: "win", loss: "lose", draw: "draw" }[moves[0].proof] ?? ""}.`;
}

// valueOf returns the best value that the player to move has before a turn, from 0 to 1,
// undefined if that is unknown. The analysis of the next position counts too: it may
// find that the move that was made there was better than all that were expected.
export function valueOf(game, turn) {
  const rated = game.analyses.get(turn)?.moves[0];
  if (!rated || rated.proof) return rated?.value;
  return Math.max(rated.value, valueAfter(game, turn) ?? 0);
}

// valueAfter returns the value of the move of a turn for its player by the analysis of
// the next position, or by the end of the game.
function valueAfter(game, turn) {
  const next = game.analyses.get(turn + 1)?.moves[0];
  if (next) return 1 - next.value;
  if (turn !== game.turn - 1 || !endsByRules(game)) return undefined;
  const mover = game.moves.find((m) => m.turn === turn)?.seat;
  return game.result.winner < 0 ? 0.5 : Number(game.result.winner === mover);
}

// endsByRules reports whether a game is over by its rules, and not by a resignation or the like.
export const endsByRules = ({ result }) => Boolean(result) && BY_RULES.has(result.how.split("+")[0]);

const BY_RULES = new Set(["ring", "bridge", "fork", "last", "full"]);

// playedOf returns the move of a turn as a rated move, undefined if it is not rated.
export function playedOf(game, turn) {
  const made = game.moves.find((m) => m.turn === turn);
  const rated = game.analyses.get(turn)?.moves.find(({ move }) => move === made?.move);
  if (!made || rated?.proof) return rated;
  const next = game.analyses.get(turn + 1)?.moves[0];
  if (next?.proof) {
    const proof = { win: "loss", loss: "win", draw: "draw" }[next.proof];
    return { move: made.move, value: 1 - next.value, proof, plies: next.plies ? next.plies + 1 : 0, line: next.line && [made.move, ...next.line] };
  }
  const value = valueAfter(game, turn);
  return value === undefined ? rated : { ...rated, move: made.move, value };
}

// The loss of value that makes a move a mistake or a blunder.
const MISTAKE = 0.15;
const BLUNDER = 0.3;

// LEGEND explains the signs of marksOf.
export const LEGEND = "? mistake: costs 15 % of the chances or more. ?? blunder: 30 % or more.";

// costOf returns how much value the move of a turn lost, undefined if that is unknown. Two
// searches can tell, that of the position before the move and that of the position after
// it. Each is some percent off, so that the lower cost counts, unless one has a proof.
function costOf(game, turn) {
  const { moves } = game.analyses.get(turn);
  const before = valueOf(game, turn);
  const played = playedOf(game, turn);
  if (!played || before === undefined) return undefined;
  const rated = moves.find(({ move }) => move === played.move);
  const cost = before - played.value;
  return rated && !played.proof ? Math.min(cost, moves[0].value - rated.value) : cost;
}

// marksOf returns the mistakes of a game by turn, each with a sign and words.
export function marksOf(game) {
  const marks = new Map();
  if (game.board?.kind === "matrix") return marks;
  for (const turn of game.analyses.keys()) {
    const cost = costOf(game, turn);
    if (cost === undefined || cost < MISTAKE) continue;
    const sign = cost >= BLUNDER ? "??" : "?";
    const best = game.analyses.get(turn).moves[0];
    const words = `${sign === "??" ? "blunder" : "mistake"}: ${verdictOf(playedOf(game, turn))}, the best ${verdictOf(best)}`;
    marks.set(turn, { sign, words });
  }
  return marks;
}
