// Lists that are redrawn. An item that stays keeps its element, so that the focus
// stays and no click is lost.

// keep updates the children of an element to be those of the items, by key. make
// returns the element of a new item.
export function keep(element, items, key, make) {
  const old = new Map([...element.children].map((child) => [child.dataset.key, child]));
  const rows = items.map((item) => {
    const id = String(key(item));
    const row = old.get(id) ?? make(item);
    row.dataset.key = id;
    old.delete(id);
    return row;
  });
  old.forEach((row) => row.remove());
  rows.forEach((row, i) => element.children[i] !== row && element.insertBefore(row, element.children[i] ?? null));
}
