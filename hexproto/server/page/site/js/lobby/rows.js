// Lists that are drawn again and again. What stays in a list keeps its element,
// so that the focus stays and a press is not lost.

// keep makes the children of an element those of the items, by key; make makes
// the element of a new item.
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
