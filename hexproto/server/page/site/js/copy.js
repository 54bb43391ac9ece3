// Copying to the clipboard.

import { button } from "./dom.js";

// copyButton makes a button that copies a text, which a function returns, and says so. what names
// it: "The link". Browsers have no clipboard on pages without TLS.
export function copyButton(notices, what, text, label = "Copy") {
  const failed = () => notices.show({ text: `This browser does not allow pages to copy. Mark ${what.toLowerCase()} and copy it by hand.`, kind: "warn" });
  return button(label, () => (navigator.clipboard
    ? navigator.clipboard.writeText(text()).then(() => notices.show({ text: `${what} is copied.`, kind: "good" }), failed)
    : failed()));
}
