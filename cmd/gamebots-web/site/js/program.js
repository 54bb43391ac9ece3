// The program, whose parts run in workers that take and send messages.

// Where browsers ask for it, scripts that are not imported have to be named by a policy.
const policy = globalThis.trustedTypes?.createPolicy("gamebots", { createScriptURL: String });

// script returns the address of a script of the folder.
export function script(path) {
  const url = new URL(`../${path}`, import.meta.url).href;
  return policy ? policy.createScriptURL(url) : url;
}

// start runs a part of the program, "serve" or "solve", and calls heard with each of its messages.
// It returns what sends a message to it, and what ends it.
export function start(part, heard) {
  const worker = new Worker(script("js/worker.js"), { type: "module", name: part });
  const ready = new Promise((resolve) => {
    worker.addEventListener("message", ({ data }) => (data.kind === "ready" ? resolve() : heard(data)));
  });
  worker.addEventListener("error", ({ message }) => heard({ kind: "failed", text: message ?? "The program could not be loaded." }));
  return {
    send: (kind, fields) => ready.then(() => worker.postMessage({ kind, ...fields })),
    end: () => worker.terminate(),
  };
}
