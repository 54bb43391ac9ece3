// Elements, made without markup.
//
// Names and chat are untrusted. Nothing here reads text as HTML: strings become text
// nodes, and the server's Content-Security-Policy with trusted types forbids
// innerHTML and inline handlers.

const SVG = "http://www.w3.org/2000/svg";

// el makes an element of HTML: el("button", {type: "button", onclick: play},
// "Play"). Attributes that are false, null or undefined are left out, true is
// the empty string, and a function listens to the event that follows "on".
// Children are nodes, text or numbers; null and false are left out.
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// svg is el for drawings.
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  set(element, attributes);
  element.append(...children.flat(Infinity).filter(isChild));
  return element;
}

function isChild(child) {
  return child !== null && child !== undefined && child !== false;
}

// set changes attributes of an element: a value that is false, null or
// undefined removes one.
export function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(key);
    else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(key) !== text) element.setAttribute(key, text);
    }
  }
  return element;
}

// put replaces the children of an element.
export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(isChild));
  return element;
}

// button makes a button that calls onclick.
export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

// field makes a labelled control of a form.
export function field(label, control, note) {
  return el("label", { class: "field" }, el("span", { class: "field-name" }, label), control, note && el("small", {}, note));
}

// choice makes a select from pairs of value and text.
export function choice(name, options, chosen) {
  return el(
    "select",
    { name },
    options.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen) }, text)),
  );
}
