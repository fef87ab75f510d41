import { apart, byId, made, press, say, wordsOf, write } from '../host/dom.ts';
import type { HostContext } from '../host/messages.ts';
import { localeOf, timeZoneOf } from '../host/theme.ts';
import type { Note } from './notes-api.ts';

/** What a person can do with the note that they read. */
export interface PageEvents {
  edit(note: Note): void;
  remove(note: Note): Promise<void>;
}

/** A note to be read. */
export class NotePage {
  readonly #place = byId('reading', HTMLElement);
  #note: Note | undefined;

  constructor({ edit, remove }: PageEvents) {
    const editing = press('edit', () => this.#note !== undefined && edit(this.#note));
    const button = press('delete', () => {
      if (this.#note === undefined) return;
      button.disabled = editing.disabled = true;
      remove(this.#note)
        .catch((error: unknown) => say('reading-problem', wordsOf(error)))
        .finally(() => (button.disabled = editing.disabled = false));
    });
  }

  get note(): Note | undefined {
    return this.#note;
  }

  show(note: Note, context: HostContext): void {
    this.#note = note;
    write('title', note.title);
    const options = { timeZone: timeZoneOf(context), dateStyle: 'medium', timeStyle: 'short' } as const;
    const updated = new Intl.DateTimeFormat(localeOf(context), options).format(new Date(note.updated_at));
    write('about', `${note.id} · changed ${apart(updated)}`);
    const tags = byId('note-tags', HTMLUListElement);
    tags.replaceChildren(...note.tags.map((tag) => made('li', tag)));
    tags.hidden = note.tags.length === 0;
    write('content', note.content);
    say('reading-problem', undefined);
    this.#place.hidden = false;
  }

  hide(): void {
    this.#place.hidden = true;
  }

  forget(): void {
    this.#note = undefined;
    this.hide();
  }
}
