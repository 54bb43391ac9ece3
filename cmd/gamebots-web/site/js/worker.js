// A worker that runs the program; its name is the part of the program that it runs. From the
// message "ready" on the program itself answers.

import "./files.js";
import "../wasm_exec.js";
import { download } from "./download.js";
import { gamesBefore } from "./kept.js";

const tell = (kind, fields) => postMessage({ kind, ...fields });

try {
  const go = new Go();
  go.argv = ["gamebots", self.name];
  const games = self.name === "serve" && gamesBefore().catch(() => (tell("apart"), { keep() {} }));
  const loading = download("gamebots.wasm", (part) => tell("progress", { phase: part < 1 ? "loading the program" : "starting the program", part }), "application/wasm");
  const { instance } = await WebAssembly.instantiateStreaming(loading, go.importObject);
  const { before, keep } = await games;
  Object.assign(globalThis, { keptGames: before, keepGames: keep });
  await go.run(instance);
  tell("failed", { text: "The program has ended." });
} catch (error) {
  tell("failed", { text: error.message });
}
