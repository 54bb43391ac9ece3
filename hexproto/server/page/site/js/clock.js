// Clocks, as docs/hexproto.md defines them: a turn may take per_move without a
// charge, the rest is taken from main.

// leftOf returns the time that a seat has left at a time of the server, in ms: main
// is its main time, free what is left of per_move in this turn. It returns null
// without clocks.
export function leftOf({ clock, time }, seat, now) {
  if (!clock.main && !clock.increment && !clock.per_move) return null;
  const used = time.running[seat] ? Math.max(0, now - time.since[seat]) : 0;
  return {
    main: Math.max(0, time.left[seat] - Math.max(0, used - clock.per_move)),
    free: Math.max(0, clock.per_move - used),
  };
}

const DAY = 86_400_000; // ms

// byDays reports whether a player has days for each move: nobody has to be there just now.
export const byDays = ({ per_move }) => per_move >= DAY;

// show formats a time: "2 d 5 h", "1:02:00", "4:05", or "7.3" below ten seconds.
export function show(ms) {
  if (ms >= DAY) return `${Math.floor(ms / DAY)} d ${Math.floor(ms / 3_600_000) % 24} h`;
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// describe formats a time control: "5 min + 2 s", "15 s a move and 30 s for the game", "3 days a move", "no clock".
export function describe({ main, increment, per_move }) {
  const span = (ms) => (ms === DAY ? "1 day" : ms % DAY === 0 ? `${ms / DAY} days` : ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`);
  const parts = [main && span(main), increment && span(increment)].filter(Boolean).join(" + ");
  const each = per_move && `${span(per_move)} a move`;
  if (each && main && !increment) return `${each} and ${parts} for the game`;
  return [parts, each].filter(Boolean).join(", ") || "no clock";
}
