import { byId, press, say, wordsOf, write } from '../host/dom.ts';
import { ToolProblem } from '../host/wire.ts';
import { ask } from './ask.ts';
import type { Draft, Note, NoteFacts, NotesApi } from './notes-api.ts';

/** What the form tells of. */
export interface FormEvents {
  /** A note was written. */
  saved(note: Note): void;
  /** The person wants the note as it is now, or none. */
  left(note: Note | undefined): void;
}

/** The form in which a note is written. What a person typed stays in it until it is saved, or thrown away on purpose. */
export class NoteForm {
  readonly #events: FormEvents;
  readonly #form = byId('form', HTMLElement);
  readonly #title = byId('f-title', HTMLInputElement);
  readonly #tags = byId('f-tags', HTMLInputElement);
  readonly #content = byId('f-content', HTMLTextAreaElement);
  #api: NotesApi | undefined;
  /** The note that is changed; undefined for a new one. */
  #base: Note | undefined;
  /** What others made of it meanwhile; undefined where it is gone. */
  #theirs: Note | undefined;
  #before = '';
  #sent: { draft: string; key: string } | undefined;
  #saving = false;

  constructor(events: FormEvents) {
    this.#events = events;
    this.#form.addEventListener('keydown', (event) => this.#heed(event));
    press('save', () => void this.#save(this.#base));
    press('cancel', () => void this.leave());
    press('keep', () => void this.#save(this.#theirs));
    press('take', () => void this.#giveUp());
  }

  use(api: NotesApi): void {
    this.#api = api;
  }

  get isOpen(): boolean {
    return !this.#form.hidden;
  }

  /** Opens the form with a note, or empty for a new one. */
  open(note: Note | undefined): void {
    this.#base = note;
    this.#sent = undefined;
    this.#title.value = note?.title ?? '';
    this.#tags.value = (note?.tags ?? []).join(', ');
    this.#content.value = note?.content ?? '';
    this.#before = JSON.stringify(this.#draft());
    write('form-title', note === undefined ? 'New note' : 'Edit note');
    this.#calm();
    this.#form.hidden = false;
    this.#title.focus();
  }

  close(): void {
    this.#form.hidden = true;
  }

  /** True where nothing would be lost, or the person says that it may be. */
  async mayLeave(): Promise<boolean> {
    if (!this.isOpen || JSON.stringify(this.#draft()) === this.#before) return true;
    return ask('What you wrote is not saved yet.', 'Throw it away');
  }

  async leave(): Promise<void> {
    if (this.#saving || !(await this.mayLeave())) return;
    this.#events.left(this.#base);
  }

  #heed(event: KeyboardEvent): void {
    const { key, target, ctrlKey, metaKey, isComposing } = event;
    if (isComposing) return;
    if (key === 'Escape') {
      // It would close the dialog that asks, too.
      event.preventDefault();
      void this.leave();
    }
    const inField = key === 'Enter' && target instanceof HTMLInputElement;
    if (!inField && !((ctrlKey || metaKey) && (key === 'Enter' || key === 's'))) return;
    event.preventDefault();
    if (byId('conflict', HTMLElement).hidden) void this.#save(this.#base);
  }

  #draft(): Draft {
    const tags = this.#tags.value.split(',').map((tag) => tag.trim());
    return { title: this.#title.value.trim(), content: this.#content.value, tags: tags.filter((tag) => tag !== '') };
  }

  #calm(): void {
    say('form-problem', undefined);
    say('title-problem', undefined);
    this.#title.removeAttribute('aria-invalid');
    byId('conflict', HTMLElement).hidden = true;
    byId('form-bar', HTMLElement).hidden = false;
  }

  async #save(over: Note | undefined): Promise<void> {
    if (this.#api === undefined || this.#saving) return;
    this.#calm();
    const draft = this.#draft();
    if (draft.title === '') {
      say('title-problem', 'A note needs a title');
      this.#title.ariaInvalid = 'true';
      this.#title.focus();
      return;
    }
    this.#busy(true);
    try {
      const facts = await this.#send(this.#api, draft, over);
      this.#events.saved({ ...facts, content: draft.content });
    } catch (error) {
      await this.#failed(this.#api, error, over);
    } finally {
      this.#busy(false);
    }
  }

  #send(api: NotesApi, draft: Draft, over: Note | undefined): Promise<NoteFacts> {
    if (over !== undefined) return api.update(over, draft);
    // A try that seems to have failed may have been heard: the same draft is never made into two notes.
    const text = JSON.stringify(draft);
    if (this.#sent?.draft !== text) this.#sent = { draft: text, key: `${Math.random()}${Math.random()}` };
    return api.create(draft, this.#sent.key);
  }

  /** Finds out whether somebody else was there, and says so; else says what went wrong. */
  async #failed(api: NotesApi, error: unknown, over: Note | undefined): Promise<void> {
    if (over !== undefined && error instanceof ToolProblem) {
      try {
        const latest = await api.get(over.id);
        if (latest.updated_at !== over.updated_at) return this.#conflict(latest);
      } catch (missing) {
        if (missing instanceof ToolProblem) return this.#conflict(undefined);
      }
    }
    say('form-problem', `${wordsOf(error)}. What you wrote is still here.`.replace('..', '.'));
  }

  #conflict(theirs: Note | undefined): void {
    this.#theirs = theirs;
    const isGone = theirs === undefined;
    write('conflict-title', isGone ? 'This note was deleted meanwhile' : 'This note was changed meanwhile');
    write(
      'conflict-text',
      isGone
        ? 'Nothing of yours is lost: you can save what you wrote as a new note.'
        : 'Nothing of yours is lost: it is still in the form above. This is what the note says now:',
    );
    write('keep', isGone ? 'Save as a new note' : 'Keep mine');
    write('take', isGone ? 'Throw mine away' : 'Take theirs');
    byId('theirs', HTMLElement).hidden = isGone;
    write('their-title', theirs?.title ?? '');
    write('their-content', theirs?.content ?? '');
    byId('form-bar', HTMLElement).hidden = true;
    const panel = byId('conflict', HTMLElement);
    panel.hidden = false;
    byId('keep', HTMLButtonElement).focus();
  }

  async #giveUp(): Promise<void> {
    if (await this.mayLeave()) this.#events.left(this.#theirs);
  }

  #busy(saving: boolean): void {
    this.#saving = saving;
    this.#form.ariaBusy = String(saving);
    for (const id of ['save', 'cancel', 'keep', 'take']) byId(id, HTMLButtonElement).disabled = saving;
    write('save', saving ? 'Saving…' : 'Save');
  }
}
