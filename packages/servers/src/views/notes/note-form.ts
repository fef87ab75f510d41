import { byId, press, say, wordsOf, write } from '../host/dom.ts';
import { ToolProblem } from '../host/wire.ts';
import { ask } from './ask.ts';
import type { Draft, Note, NotesApi } from './notes-api.ts';

/** Of the title of a note that is made of something unsaved: the server takes little more. */
const longestKept = 480;

/** What the form tells of. */
export interface FormEvents {
  /** A note was written. */
  saved(note: Note): void;
  /** The same, and the person has written on meanwhile. */
  savedInPart(): void;
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
  /** The form as it was opened, or last saved. */
  #before: Draft = { title: '', content: '', tags: [] };
  #sent: { draft: string; key: string } | undefined;
  #saving: Promise<void> | undefined;

  constructor(events: FormEvents) {
    this.#events = events;
    this.#form.addEventListener('keydown', (event) => this.#heed(event));
    press('save', () => this.#save(this.#base));
    press('cancel', () => void this.leave());
    press('keep', () => this.#save(this.#theirs));
    press('take', () => void this.#giveUp());
  }

  use(api: NotesApi): void {
    this.#api = api;
  }

  get isOpen(): boolean {
    return !this.#form.hidden;
  }

  /** The id of the note that is changed; undefined for a new one. */
  get noteId(): string | undefined {
    return this.#base?.id;
  }

  /** Opens the form with a note, or empty for a new one. */
  open(note: Note | undefined): void {
    this.#base = note;
    this.#sent = undefined;
    this.#title.value = note?.title ?? '';
    this.#tags.value = (note?.tags ?? []).join(', ');
    this.#content.value = note?.content ?? '';
    this.#before = this.#draft();
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
    if (!this.#isUnsaved) return true;
    const may = await ask('What you wrote is not saved yet.', 'Throw it away');
    if (may) this.#before = this.#draft();
    return may;
  }

  get #isUnsaved(): boolean {
    return this.isOpen && !isSame(this.#draft(), this.#before);
  }

  async leave(): Promise<void> {
    if (this.#saving !== undefined || !(await this.mayLeave())) return;
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
    if (byId('conflict', HTMLElement).hidden) this.#save(this.#base);
  }

  #draft(): Draft {
    const tags = this.#tags.value.split(',').map((tag) => tag.trim());
    return { title: this.#title.value.trim(), content: this.#content.value, tags: tags.filter((tag) => tag !== '') };
  }

  #calm(): void {
    say('form-problem', undefined);
    say('form-notice', undefined);
    say('title-problem', undefined);
    this.#title.removeAttribute('aria-invalid');
    byId('conflict', HTMLElement).hidden = true;
    byId('form-bar', HTMLElement).hidden = false;
  }

  /** Makes a note of its own of what is not saved: the page is about to go, and with it the form. */
  async keep(): Promise<void> {
    await this.#saving;
    const draft = this.#draft();
    if (this.#api === undefined || !this.#isUnsaved || draft.title + draft.content === '') return;
    const title = `${draft.title.slice(0, longestKept).replace(/\p{Surrogate}$/u, '') || 'Note'} (draft)`;
    await this.#send(this.#api, { ...draft, title }, undefined);
    this.#before = draft;
  }

  #save(over: Note | undefined): void {
    if (this.#api === undefined || this.#saving !== undefined) return;
    this.#calm();
    const draft = this.#draft();
    if (draft.title === '') {
      say('title-problem', 'A note needs a title');
      this.#title.ariaInvalid = 'true';
      this.#title.focus();
      return;
    }
    this.#busy(true);
    this.#saving = this.#sendNote(this.#api, draft, over).finally(() => {
      this.#saving = undefined;
      this.#busy(false);
    });
  }

  async #sendNote(api: NotesApi, draft: Draft, over: Note | undefined): Promise<void> {
    try {
      const note = await this.#send(api, draft, over);
      if (isSame(this.#draft(), draft)) return this.#events.saved(note);
      this.#base = note;
      this.#before = draft;
      write('form-title', 'Edit note');
      say('form-notice', 'Saved as it was. What you wrote since is not saved yet.');
      this.#events.savedInPart();
    } catch (error) {
      await this.#failed(api, error, over);
    }
  }

  async #send(api: NotesApi, draft: Draft, over: Note | undefined): Promise<Note> {
    if (over !== undefined) {
      // Over a note that others changed, all that the person sees is meant; else what they changed.
      const changes = over === this.#base ? changesFrom(this.#before, draft) : draft;
      if (Object.keys(changes).length === 0) return over;
      return { ...(await api.update(over, changes)), content: changes.content ?? over.content };
    }
    // A try that seems to have failed may have been heard: the same draft is never made into two notes.
    const text = JSON.stringify(draft);
    if (this.#sent?.draft !== text) this.#sent = { draft: text, key: `${Math.random()}${Math.random()}` };
    return { ...(await api.create(draft, this.#sent.key)), content: draft.content };
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
    this.#form.ariaBusy = String(saving);
    for (const id of ['save', 'cancel', 'keep', 'take']) byId(id, HTMLButtonElement).disabled = saving;
    write('save', saving ? 'Saving…' : 'Save');
  }
}

function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What is different in a draft: fields of a page can't hold everything that a note can, and the rest is to stay. */
function changesFrom(before: Draft, draft: Draft): Partial<Draft> {
  return {
    ...(draft.title !== before.title && { title: draft.title }),
    ...(draft.content !== before.content && { content: draft.content }),
    ...(draft.tags.join() !== before.tags.join() && { tags: draft.tags }),
  };
}
