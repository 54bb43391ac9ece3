// How the page looks: light or dark, and with or without coordinates at the boards.

// appear shows the page as the settings say.
export function appear(settings) {
  const theme = settings.get("theme");
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.dataset.coordinates = settings.get("coordinates");
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    const own = (meta.dataset.theme ??= /light|dark/.exec(meta.media)[0]);
    meta.media = theme ? (own === theme ? "all" : "not all") : `(prefers-color-scheme: ${own})`;
  }
}
