// What the browser keeps of the games: the server's database, in IndexedDB. One page at a time has it; what is
// played in another one beside it goes with that page.

const WAIT = 3000; // ms for a page that is closing to let go of it

const opened = new Promise((resolve, reject) => {
  const request = indexedDB.open("gamebots-play", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("files");
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
opened.catch(() => {}); // gamesBefore says so

// answer runs a request of a function with the store.
const answer = async (mode, run) => {
  const store = (await opened).transaction("files", mode).objectStore("files");
  return new Promise((resolve, reject) => {
    const request = run(store);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
};

// only resolves once no other page has the games, and keeps others off as long as this one is open.
const only = () => navigator.locks && new Promise((resolve, reject) => {
  navigator.locks.request("gamebots-play", { signal: AbortSignal.timeout(WAIT) }, () => { resolve(); return new Promise(() => {}); }).catch(reject);
});

// gamesBefore returns the database of the page before it was loaded again, undefined if there is none, and what
// stores later ones. It throws where nothing can be kept.
export async function gamesBefore() {
  await only();
  return { before: await answer("readonly", (store) => store.get("games")), keep: (bytes) => answer("readwrite", (store) => store.put(bytes, "games")).catch(() => {}) };
}
