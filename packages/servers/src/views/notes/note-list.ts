import { byId, createElement, onClick, setMessage, errorText, setText } from '../host/dom.ts';
import type { NotePage, NoteRow, NotesApi, NoteFilter } from './notes-api.ts';

const debounceMs = 180;
const maxTags = 12;
/** The length of a preview at the server. */
const previewLength = 50;
const firstNote = 'There are no notes yet.';

/** The list: search, tags, and results. */
export class NoteList {
  readonly #open: (id: string) => void;
  readonly #search = byId('query', HTMLInputElement);
  readonly #list = byId('list', HTMLUListElement);
  readonly #more = onClick('more', () => void this.load(this.#cursor));
  #api: NotesApi | undefined;
  #tag: string | undefined;
  #rows: NoteRow[] = [];
  #cursor: string | undefined;
  #current: string | undefined;
  #requests = 0;
  #debounce: ReturnType<typeof setTimeout> | undefined;
  /** The ids of the notes with a tag. */
  readonly #tags = new Map<string, Set<string>>();
  /** The user has searched or chosen a tag. */
  #isUsed = false;

  constructor(open: (id: string) => void) {
    this.#open = open;
    this.#search.addEventListener('input', () => {
      this.#isUsed = true;
      // A search covers all notes.
      this.#tag = undefined;
      this.#showTags();
      clearTimeout(this.#debounce);
      this.#debounce = setTimeout(() => void this.load(), debounceMs);
    });
    this.#list.addEventListener('keydown', (event) => this.#onKeyDown(event));
  }

  get filter(): NoteFilter {
    return { query: this.#search.value.trim(), tag: this.#tag };
  }

  use(api: NotesApi | undefined): void {
    this.#api = api;
    this.#search.disabled = api === undefined;
  }

  /** Shows the result of the tool that opened the view, unless the user has searched already. */
  showFirst(page: NotePage, { query, tag }: Partial<NoteFilter>): void {
    if (this.#isUsed) return void this.load();
    this.#search.value = query ?? '';
    this.#tag = tag;
    this.#showPage(page, []);
  }

  /** Loads the matching notes, or the next page of them. */
  async load(cursor?: string): Promise<void> {
    if (this.#api === undefined) return;
    this.#requests += 1;
    const request = this.#requests;
    const hadFocus = document.activeElement === this.#more;
    const count = this.#rows.length;
    this.#list.ariaBusy = 'true';
    this.#more.disabled = true;
    try {
      const page = await this.#api.find(this.filter, cursor);
      // A newer request replaces this one.
      if (request !== this.#requests) return;
      setMessage('list-problem', undefined);
      this.#showPage(page, cursor === undefined ? [] : this.#rows);
    } catch (error) {
      if (request === this.#requests) setMessage('list-problem', errorText(error));
    } finally {
      if (request === this.#requests) {
        this.#list.ariaBusy = 'false';
        this.#more.disabled = false;
        if (hadFocus) (this.#buttons()[count] ?? this.#more).focus();
      }
    }
  }

  /** Marks the open note. */
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

  #showPage({ notes, next_cursor: next }: NotePage, before: readonly NoteRow[]): void {
    this.#rows = [...before, ...notes];
    this.#cursor = next;
    for (const { id, tags } of notes) {
      for (const tag of tags) this.#tags.set(tag, (this.#tags.get(tag) ?? new Set()).add(id));
    }
    const { activeElement } = document;
    const hadFocus = this.#list.contains(activeElement);
    const focused = hadFocus ? (activeElement as HTMLElement).dataset.id : undefined;
    const { scrollTop } = this.#list;
    this.#list.replaceChildren(...this.#rows.map((row) => this.#createItem(row)));
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
    const { query, tag } = this.filter;
    const count = this.#rows.length;
    const none = query === '' && tag === undefined ? firstNote : 'No note was found.';
    const some = `${count}${this.#cursor === undefined ? '' : '+'} ${count === 1 ? 'note' : 'notes'}`;
    setText('state', count === 0 ? none : some);
    setText('none', none === firstNote && count === 0 ? 'Write the first one.' : 'Choose a note, or write a new one.');
  }

  #showTags(): void {
    const container = byId('tags', HTMLElement);
    const known = [...this.#tags].sort(([, one], [, other]) => other.size - one.size).map(([tag]) => tag);
    const shown = [...new Set([...(this.#tag === undefined ? [] : [this.#tag]), ...known])].slice(0, maxTags);
    container.hidden = shown.length === 0 || this.#api === undefined;
    const focused = container.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
    container.replaceChildren(
      ...shown.map((tag) => {
        const button = createElement('button', tag);
        button.type = 'button';
        button.ariaPressed = String(tag === this.#tag);
        button.addEventListener('click', () => this.#chooseTag(tag));
        return button;
      }),
    );
    for (const button of container.querySelectorAll('button')) if (button.textContent === focused) button.focus();
  }

  #chooseTag(tag: string): void {
    this.#isUsed = true;
    this.#tag = tag === this.#tag ? undefined : tag;
    this.#search.value = '';
    this.#showTags();
    void this.load();
  }

  #createItem(row: NoteRow): HTMLLIElement {
    const button = createElement('button');
    button.type = 'button';
    button.dataset.id = row.id;
    button.disabled = this.#api === undefined;
    const title = createElement('strong', row.title);
    title.dir = 'auto';
    button.append(title, createExcerpt(row));
    button.addEventListener('click', () => this.#open(row.id));
    const item = createElement('li');
    item.append(button);
    return item;
  }

  #buttons(): HTMLButtonElement[] {
    return [...this.#list.querySelectorAll('button')];
  }

  #onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const buttons = this.#buttons();
    const next = buttons[buttons.indexOf(event.target as HTMLButtonElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }
}

/** The preview or snippet of a note; the server marks matches with `**`. */
function createExcerpt({ preview, snippet }: NoteRow): HTMLSpanElement {
  const excerpt = createElement('span');
  excerpt.dir = 'auto';
  const beginning = preview !== undefined && Array.from(preview).length >= previewLength ? `${preview}…` : preview;
  const parts = snippet === undefined ? [beginning ?? ''] : snippet.split('**');
  parts.forEach((part, index) => excerpt.append(index % 2 === 1 ? createElement('mark', part) : part));
  if (excerpt.textContent === '') excerpt.textContent = 'No text';
  return excerpt;
}
