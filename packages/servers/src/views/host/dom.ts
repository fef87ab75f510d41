/** An element of the page, by its id. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`There is no "${id}" in the page`);
  return found;
}

/** Sets the text of an element, never as HTML. */
export function setText(id: string, text: string): void {
  byId(id, HTMLElement).textContent = text;
}

/** Isolates a foreign text within a sentence, so that its direction does not affect the rest. */
export function isolateBidi(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Shows a message, or hides the element without one. */
export function setMessage(id: string, text: string | undefined): void {
  const element = byId(id, HTMLElement);
  element.hidden = text === undefined;
  element.textContent = text ?? '';
}

/** Adds a click listener to a button. */
export function onClick(id: string, action: () => void): HTMLButtonElement {
  const button = byId(id, HTMLButtonElement);
  button.addEventListener('click', action);
  return button;
}

/** Creates an element with a text. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

const maxErrorLength = 400;

/** The message of an error, shortened. */
export function errorText(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const letters = Array.from(words.slice(0, maxErrorLength * 2));
  return letters.length > maxErrorLength ? `${letters.slice(0, maxErrorLength).join('')}…` : words;
}
