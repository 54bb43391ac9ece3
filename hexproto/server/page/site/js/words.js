// Numbers and actions, formatted for people.

// number formats a number with some decimals, with a sign if asked and a minus that is no hyphen.
export function number(value, digits = 0, sign = false) {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: sign ? "exceptZero" : "auto" }).replace("-", "−");
}

export function chips(value) {
  return number(value, Number.isInteger(value) ? 0 : 2, true);
}

// action formats the name of an action of poker: "raise to 1,200".
export function action(name) {
  return name.replace(/\d+/g, (amount) => number(Number(amount)));
}

// done says that somebody did it: "raises to 1,200".
export function done(name) {
  return action(name).replace(/^\w+/, "$&s");
}

// sentence begins a text with a capital letter.
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
