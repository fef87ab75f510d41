/** An element of the page, by its id. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`There is no "${id}" in the page`);
  return found;
}

/** Writes a text into an element: what comes from elsewhere is never read as HTML. */
export function write(id: string, text: string): void {
  byId(id, HTMLElement).textContent = text;
}

/** A text of somebody else's within a sentence, whose direction does not reach what is around it. */
export function apart(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Shows a text where there is one, and nothing otherwise. */
export function say(id: string, text: string | undefined): void {
  const place = byId(id, HTMLElement);
  place.hidden = text === undefined;
  place.textContent = text ?? '';
}

/** Does something when a button is pressed. */
export function press(id: string, action: () => void): HTMLButtonElement {
  const button = byId(id, HTMLButtonElement);
  button.addEventListener('click', action);
  return button;
}

/** Makes an element with a text in it. */
export function made<Name extends keyof HTMLElementTagNameMap>(name: Name, text = ''): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

const longest = 400;

/** What went wrong, for people: no more than they would read. */
export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const letters = Array.from(words.slice(0, longest * 2));
  return letters.length > longest ? `${letters.slice(0, longest).join('')}…` : words;
}
