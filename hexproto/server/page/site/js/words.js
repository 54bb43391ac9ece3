// Numbers and actions, formatted for people.

// number formats a number with some decimals, with a sign if asked and a minus that is no hyphen. What is rounded to 0
// has none.
export function number(value, digits = 0, sign = false) {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: sign ? "exceptZero" : "negative" }).replace("-", "−");
}

export function chips(value) {
  return number(value, Number.isInteger(value) ? 0 : 2, true);
}

// amount formats chips, or with the chips of a big blind as the unit how many of them these are: "2.5 bb".
export function amount(value, unit = 1, sign = false) {
  if (unit === 1) return sign ? chips(value) : number(value);
  const blinds = Math.round((100 * value) / unit) / 100;
  return `${number(blinds, Number.isInteger(blinds) ? 0 : Number.isInteger(10 * blinds) ? 1 : 2, sign)} bb`;
}

// action formats the name of an action of poker: "raise to 1,200".
export function action(name, unit) {
  return name.replace(/\d+/g, (chips) => amount(Number(chips), unit));
}

// done says that somebody did it: "ada raises to 1,200". A person at a terminal is "you" in the log.
export function done(who, name, unit) {
  return `${who} ${action(name, unit).replace(/^\w+/, who === "you" ? "$&" : "$&s")}`;
}

// sentence begins a text with a capital letter.
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
