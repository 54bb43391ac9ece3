// An Emitter calls listeners with events.
export class Emitter {
  #listeners = new Map();

  // on calls listener with every event of a type. It returns a function that
  // removes the listener.
  on(type, listener) {
    if (!this.#listeners.has(type)) this.#listeners.set(type, new Set());
    this.#listeners.get(type).add(listener);
    return () => this.#listeners.get(type).delete(listener);
  }

  emit(type, event) {
    for (const listener of [...(this.#listeners.get(type) ?? [])]) listener(event);
  }
}
