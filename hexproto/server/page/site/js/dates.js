// Dates, formatted for people in their own time zone.

// when formats a time, without the date if it is today.
export function when(time) {
  const at = new Date(time);
  const day = at.toDateString() === new Date().toDateString() ? "" : `${at.toLocaleDateString()} `;
  return `${day}${at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`;
}
