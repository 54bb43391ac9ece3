// The settings of a spot as texts: in an address, and in a file for "gamebots solve poker --spot".

// DEFAULTS are those of the program.
export const DEFAULTS = {
  "spot.board": "", "spot.pot": "", "spot.stack": "", "ranges.oop": "random", "ranges.ip": "random",
  "bets.bets": "50,100", "bets.raises": "60", "bets.donks": "as bets", "bets.raise_cap": "0", "bets.add_all_in": "1", "bets.force_all_in": "0.15", "bets.merge": "0.1",
  "rake.percent": "0", "rake.cap": "0", "solve.target": "0.3",
};

// given returns the settings that are not the defaults.
const given = (settings) => Object.entries(settings).filter(([key, value]) => value.trim() !== DEFAULTS[key]);

// queryOf writes settings for a request, with other parameters.
export const queryOf = (settings, parameters) => new URLSearchParams([...given(settings), ...Object.entries(parameters)]);

// addressOf returns the address of a spot, and of the point of its solution that a line leads to.
export function addressOf(settings, line) {
  const text = encodeURIComponent(given(settings).map(([key, value]) => `${key}=${value.trim()}`).join("&")).replace(/%(2C|3A|3B|3D|26|2B)/g, decodeURIComponent);
  return `#/spot/${text}${line === undefined ? "" : `/${encodeURIComponent(line)}`}`;
}

// fromAddress reads that part of an address.
export function fromAddress(text) {
  const pairs = text.split("&").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  return { ...DEFAULTS, ...Object.fromEntries(pairs.filter(([key]) => /^([a-z]+\.[a-z_]+|file)$/.test(key))) };
}

// fromFile reads a file of settings. It throws if it is none.
export function fromFile(text) {
  const settings = { ...DEFAULTS };
  let table = "";
  for (const line of text.split("\n")) {
    const [, name] = /^\s*\[(\w+)\]\s*(?:#.*)?$/.exec(line) ?? [];
    const [, key, quoted, bare] = /^\s*(\w+)\s*=\s*(?:"([^"]*)"|([\d._]+))\s*(?:#.*)?$/.exec(line) ?? [];
    if (name) table = name;
    else if (key) settings[`${table}.${key}`] = quoted ?? bare;
    else if (line.trim() && !line.trim().startsWith("#")) throw new Error(`This is not the file of a spot: ${line.trim().slice(0, 60)}`);
  }
  return settings;
}

// toFile writes a file of settings.
export function toFile(settings) {
  const tables = Object.groupBy(given(settings), ([key]) => key.split(".")[0]);
  return Object.entries(tables).map(([table, all]) => `[${table}]\n${all.map(([key, value]) => {
    const text = /^(spot\.board|ranges|bets\.(bets|raises|donks)|solve\.algorithm)/.test(key) ? JSON.stringify(value.trim()) : value.trim();
    return `${key.split(".")[1]} = ${text}\n`;
  }).join("")}`).join("\n");
}
