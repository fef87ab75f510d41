import { byId, made, press, say, wordsOf, write } from '../host/dom.ts';
import type { NotePage, NoteRow, NotesApi, Wish } from './notes-api.ts';

const typingMs = 180;
const mostTags = 12;
/** The server cuts the beginning of a note here. */
const previewLength = 50;
const firstNote = 'There are no notes yet.';

/** The list at the side: search, tags, and what was found. */
export class NoteList {
  readonly #open: (id: string) => void;
  readonly #search = byId('query', HTMLInputElement);
  readonly #list = byId('list', HTMLUListElement);
  readonly #more = press('more', () => void this.load(this.#cursor));
  #api: NotesApi | undefined;
  #tag: string | undefined;
  #rows: NoteRow[] = [];
  #cursor: string | undefined;
  #current: string | undefined;
  #asked = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;
  /** The notes that have a tag, by their ids. */
  readonly #tags = new Map<string, Set<string>>();
  /** A person has looked for something. */
  #isUsed = false;

  constructor(open: (id: string) => void) {
    this.#open = open;
    this.#search.addEventListener('input', () => {
      this.#isUsed = true;
      // What is searched for is searched in all notes.
      this.#tag = undefined;
      this.#showTags();
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => void this.load(), typingMs);
    });
    this.#list.addEventListener('keydown', (event) => this.#move(event));
  }

  get wish(): Wish {
    return { query: this.#search.value.trim(), tag: this.#tag };
  }

  use(api: NotesApi | undefined): void {
    this.#api = api;
    this.#search.disabled = api === undefined;
  }

  /** Shows what the tool found that the view was opened with, unless somebody looks for something else already. */
  begin(page: NotePage, { query, tag }: Partial<Wish>): void {
    if (this.#isUsed) return void this.load();
    this.#search.value = query ?? '';
    this.#tag = tag;
    this.#take(page, []);
  }

  /** Gets the notes that are wanted now, or the next page of them. */
  async load(cursor?: string): Promise<void> {
    if (this.#api === undefined) return;
    this.#asked += 1;
    const mine = this.#asked;
    const hadFocus = document.activeElement === this.#more;
    const count = this.#rows.length;
    this.#list.ariaBusy = 'true';
    this.#more.disabled = true;
    try {
      const page = await this.#api.find(this.wish, cursor);
      // Whoever typed on meanwhile wants something else.
      if (mine !== this.#asked) return;
      say('list-problem', undefined);
      this.#take(page, cursor === undefined ? [] : this.#rows);
    } catch (error) {
      if (mine === this.#asked) say('list-problem', wordsOf(error));
    } finally {
      if (mine === this.#asked) {
        this.#list.ariaBusy = 'false';
        this.#more.disabled = false;
        if (hadFocus) (this.#buttons()[count] ?? this.#more).focus();
      }
    }
  }

  /** Marks the note that is open. */
  mark(id: string | undefined): void {
    this.#current = id;
    for (const button of this.#buttons()) {
      if (button.dataset.id === id) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  focus(): void {
    const current = this.#buttons().find(({ dataset }) => dataset.id === this.#current);
    (current ?? this.#search).focus();
  }

  #take({ notes, next_cursor: next }: NotePage, before: readonly NoteRow[]): void {
    this.#rows = [...before, ...notes];
    this.#cursor = next;
    for (const { id, tags } of notes) {
      for (const tag of tags) this.#tags.set(tag, (this.#tags.get(tag) ?? new Set()).add(id));
    }
    const { activeElement } = document;
    const hadFocus = this.#list.contains(activeElement);
    const focused = hadFocus ? (activeElement as HTMLElement).dataset.id : undefined;
    const { scrollTop } = this.#list;
    this.#list.replaceChildren(...this.#rows.map((row) => this.#item(row)));
    this.#more.hidden = next === undefined || this.#api === undefined;
    this.mark(this.#current);
    this.#list.scrollTop = before.length > 0 || hadFocus ? scrollTop : 0;
    const same = this.#buttons().find(({ dataset }) => dataset.id === focused);
    if (hadFocus && same !== undefined) same.focus();
    else if (hadFocus) this.focus();
    this.#showTags();
    this.#showState();
  }

  #showState(): void {
    const { query, tag } = this.wish;
    const count = this.#rows.length;
    const none = query === '' && tag === undefined ? firstNote : 'No note was found.';
    const some = `${count}${this.#cursor === undefined ? '' : '+'} ${count === 1 ? 'note' : 'notes'}`;
    write('state', count === 0 ? none : some);
    write('none', none === firstNote && count === 0 ? 'Write the first one.' : 'Choose a note, or write a new one.');
  }

  #showTags(): void {
    const place = byId('tags', HTMLElement);
    const known = [...this.#tags].sort(([, one], [, other]) => other.size - one.size).map(([tag]) => tag);
    const shown = [...new Set([...(this.#tag === undefined ? [] : [this.#tag]), ...known])].slice(0, mostTags);
    place.hidden = shown.length === 0 || this.#api === undefined;
    const focused = place.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
    place.replaceChildren(
      ...shown.map((tag) => {
        const button = made('button', tag);
        button.type = 'button';
        button.ariaPressed = String(tag === this.#tag);
        button.addEventListener('click', () => this.#choose(tag));
        return button;
      }),
    );
    for (const button of place.querySelectorAll('button')) if (button.textContent === focused) button.focus();
  }

  #choose(tag: string): void {
    this.#isUsed = true;
    this.#tag = tag === this.#tag ? undefined : tag;
    this.#search.value = '';
    this.#showTags();
    void this.load();
  }

  #item(row: NoteRow): HTMLLIElement {
    const button = made('button');
    button.type = 'button';
    button.dataset.id = row.id;
    button.disabled = this.#api === undefined;
    const title = made('strong', row.title);
    title.dir = 'auto';
    button.append(title, excerptOf(row));
    button.addEventListener('click', () => this.#open(row.id));
    const item = made('li');
    item.append(button);
    return item;
  }

  #buttons(): HTMLButtonElement[] {
    return [...this.#list.querySelectorAll('button')];
  }

  #move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const buttons = this.#buttons();
    const next = buttons[buttons.indexOf(event.target as HTMLButtonElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }
}

/** The beginning of a note, or where it was found: the server puts found words between two pairs of stars. */
function excerptOf({ preview, snippet }: NoteRow): HTMLSpanElement {
  const excerpt = made('span');
  excerpt.dir = 'auto';
  const beginning = preview !== undefined && Array.from(preview).length >= previewLength ? `${preview}…` : preview;
  const parts = snippet === undefined ? [beginning ?? ''] : snippet.split('**');
  parts.forEach((part, index) => excerpt.append(index % 2 === 1 ? made('mark', part) : part));
  if (excerpt.textContent === '') excerpt.textContent = 'No text';
  return excerpt;
}
