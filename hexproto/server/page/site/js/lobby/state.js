// What the lobby shows, as the server told it last.

// applied returns a lobby with the changes of a message lobby_changed.
export function applied(lobby, { challenges = [], games = [], players = [], progress = [], gone = [], left = [], connected, running }) {
  const moved = new Map(progress.map(({ game, ...rest }) => [game, rest]));
  return {
    challenges: rows(lobby.challenges, challenges, gone, "challenge"),
    games: rows(lobby.games, games, gone, "game")
      .map((game) => ({ ...game, ...moved.get(game.game) }))
      .sort((a, b) => Boolean(a.idle) - Boolean(b.idle) || b.started - a.started),
    players: rows(lobby.players, players, left, "name").sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)),
    connected,
    running,
  };
}

// rows returns rows without those that are gone, and with changed ones in their places. New ones
// come first.
function rows(old, changes, gone, key) {
  const changed = new Map(changes.map((row) => [row[key], row]));
  const kept = old.filter((row) => !gone.includes(row[key])).map((row) => {
    const change = changed.get(row[key]);
    changed.delete(row[key]);
    return change ?? row;
  });
  return [...changed.values(), ...kept];
}
