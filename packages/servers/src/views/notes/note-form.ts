import { byId, onClick, setMessage, errorText, setText } from '../host/dom.ts';
import { ToolFailure } from '../host/host.ts';
import type { Draft, Note, NotesApi } from './notes-api.ts';

/** The maximum length of the title of a saved draft, below the server's limit. */
const maxDraftTitle = 480;

/** The events of the form. */
export interface FormEvents {
  /** A note was saved. */
  saved(note: Note): void;
  /** A note was saved, but the form has newer changes. */
  savedPartly(): void;
  /** The form was closed without saving; shows this note, or none. */
  closed(note: Note | undefined): void;
}

/** The form for a note. Input stays in it until it is saved or explicitly discarded. */
export class NoteForm {
  readonly #events: FormEvents;
  readonly #form = byId('form', HTMLElement);
  readonly #title = byId('f-title', HTMLInputElement);
  readonly #tags = byId('f-tags', HTMLInputElement);
  readonly #content = byId('f-content', HTMLTextAreaElement);
  #api: NotesApi | undefined;
  /** The note being edited; undefined for a new one. */
  #base: Note | undefined;
  /** The note as others changed it meanwhile; undefined if they deleted it. */
  #theirs: Note | undefined;
  /** The form as it was opened or last saved. */
  #saved: Draft = { title: '', content: '', tags: [] };
  #sent: { draft: string; key: string } | undefined;
  #saving: Promise<void> | undefined;

  constructor(events: FormEvents) {
    this.#events = events;
    this.#form.addEventListener('keydown', (event) => this.#onKeyDown(event));
    onClick('save', () => this.#save(this.#base));
    onClick('cancel', () => void this.cancel());
    onClick('keep', () => this.#save(this.#theirs));
    onClick('take', () => void this.#discard());
  }

  use(api: NotesApi): void {
    this.#api = api;
  }

  get isOpen(): boolean {
    return !this.#form.hidden;
  }

  /** The id of the edited note; undefined for a new one. */
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
    this.#saved = this.#draft();
    setText('form-title', note === undefined ? 'New note' : 'Edit note');
    this.#clearMessages();
    this.#form.hidden = false;
    this.#title.focus();
  }

  close(): void {
    this.#form.hidden = true;
  }

  /** Asks before unsaved changes are discarded; true if they may be, or if there are none. */
  async confirmDiscard(): Promise<boolean> {
    if (!this.#hasUnsavedChanges) return true;
    const confirmed = await confirm('What you wrote is not saved yet.', 'Throw it away');
    if (confirmed) this.#saved = this.#draft();
    return confirmed;
  }

  get #hasUnsavedChanges(): boolean {
    return this.isOpen && !isSame(this.#draft(), this.#saved);
  }

  async cancel(): Promise<void> {
    if (this.#saving !== undefined || !(await this.confirmDiscard())) return;
    this.#events.closed(this.#base);
  }

  #onKeyDown(event: KeyboardEvent): void {
    const { key, target, ctrlKey, metaKey, isComposing } = event;
    if (isComposing) return;
    if (key === 'Escape') {
      // Escape would also close the confirmation dialog.
      event.preventDefault();
      void this.cancel();
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

  #clearMessages(): void {
    setMessage('form-problem', undefined);
    setMessage('form-notice', undefined);
    setMessage('title-problem', undefined);
    this.#title.removeAttribute('aria-invalid');
    byId('conflict', HTMLElement).hidden = true;
    byId('form-bar', HTMLElement).hidden = false;
  }

  /** Saves unsaved input as a separate note, because the page is about to be removed. */
  async saveDraft(): Promise<void> {
    await this.#saving;
    const draft = this.#draft();
    if (this.#api === undefined || !this.#hasUnsavedChanges || draft.title + draft.content === '') return;
    const title = `${draft.title.slice(0, maxDraftTitle).replace(/\p{Surrogate}$/u, '') || 'Note'} (draft)`;
    await this.#send(this.#api, { ...draft, title }, undefined);
    this.#saved = draft;
  }

  #save(over: Note | undefined): void {
    if (this.#api === undefined || this.#saving !== undefined) return;
    this.#clearMessages();
    const draft = this.#draft();
    if (draft.title === '') {
      setMessage('title-problem', 'A note needs a title');
      this.#title.ariaInvalid = 'true';
      this.#title.focus();
      return;
    }
    this.#setBusy(true);
    this.#saving = this.#sendNote(this.#api, draft, over).finally(() => {
      this.#saving = undefined;
      this.#setBusy(false);
    });
  }

  async #sendNote(api: NotesApi, draft: Draft, over: Note | undefined): Promise<void> {
    try {
      const note = await this.#send(api, draft, over);
      if (isSame(this.#draft(), draft)) return this.#events.saved(note);
      this.#base = note;
      this.#saved = draft;
      setText('form-title', 'Edit note');
      setMessage('form-notice', 'Saved as it was. What you wrote since is not saved yet.');
      this.#events.savedPartly();
    } catch (error) {
      await this.#reportFailure(api, error, over);
    }
  }

  async #send(api: NotesApi, draft: Draft, over: Note | undefined): Promise<Note> {
    if (over !== undefined) {
      // After a conflict everything in the form is saved, otherwise only the changes.
      const changes = over === this.#base ? changesFrom(this.#saved, draft) : draft;
      if (Object.keys(changes).length === 0) return over;
      return { ...(await api.update(over, changes)), content: changes.content ?? over.content };
    }
    // A request that seems to have failed may have succeeded: the key prevents a second note.
    const text = JSON.stringify(draft);
    if (this.#sent?.draft !== text) this.#sent = { draft: text, key: `${Math.random()}${Math.random()}` };
    return { ...(await api.create(draft, this.#sent.key)), content: draft.content };
  }

  /** Shows a conflict if somebody else changed the note, otherwise the error. */
  async #reportFailure(api: NotesApi, error: unknown, over: Note | undefined): Promise<void> {
    if (over !== undefined && error instanceof ToolFailure) {
      try {
        const latest = await api.get(over.id);
        if (latest.updated_at !== over.updated_at) return this.#showConflict(latest);
      } catch (missing) {
        if (missing instanceof ToolFailure) return this.#showConflict(undefined);
      }
    }
    setMessage('form-problem', `${errorText(error)}. What you wrote is still here.`.replace('..', '.'));
  }

  #showConflict(theirs: Note | undefined): void {
    this.#theirs = theirs;
    const isGone = theirs === undefined;
    setText('conflict-title', isGone ? 'This note was deleted meanwhile' : 'This note was changed meanwhile');
    setText(
      'conflict-text',
      isGone
        ? 'Nothing of yours is lost: you can save what you wrote as a new note.'
        : 'Nothing of yours is lost: it is still in the form above. This is what the note says now:',
    );
    setText('keep', isGone ? 'Save as a new note' : 'Keep mine');
    setText('take', isGone ? 'Throw mine away' : 'Take theirs');
    byId('theirs', HTMLElement).hidden = isGone;
    setText('their-title', theirs?.title ?? '');
    setText('their-content', theirs?.content ?? '');
    byId('form-bar', HTMLElement).hidden = true;
    const panel = byId('conflict', HTMLElement);
    panel.hidden = false;
    byId('keep', HTMLButtonElement).focus();
  }

  async #discard(): Promise<void> {
    if (await this.confirmDiscard()) this.#events.closed(this.#theirs);
  }

  #setBusy(saving: boolean): void {
    this.#form.ariaBusy = String(saving);
    for (const id of ['save', 'cancel', 'keep', 'take']) byId(id, HTMLButtonElement).disabled = saving;
    setText('save', saving ? 'Saving…' : 'Save');
  }
}

function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The changed members of a draft: form fields can't hold every content, so unchanged ones are not sent. */
function changesFrom(saved: Draft, draft: Draft): Partial<Draft> {
  return {
    ...(draft.title !== saved.title && { title: draft.title }),
    ...(draft.content !== saved.content && { content: draft.content }),
    ...(draft.tags.join() !== saved.tags.join() && { tags: draft.tags }),
  };
}

let complete: ((answer: boolean) => void) | undefined;

/** Shows a confirmation dialog; `yes` is the label of its confirming button. */
export function confirm(text: string, yes: string): Promise<boolean> {
  const dialog = byId('ask', HTMLDialogElement);
  // Cancels an earlier dialog.
  complete?.(false);
  setText('ask-text', text);
  setText('ask-yes', yes);
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    complete = resolve;
  });
}

function answer(confirmed: boolean): void {
  byId('ask', HTMLDialogElement).close();
  complete?.(confirmed);
  complete = undefined;
}

onClick('ask-yes', () => answer(true));
onClick('ask-no', () => answer(false));
byId('ask', HTMLDialogElement).addEventListener('cancel', (event) => {
  event.preventDefault();
  answer(false);
});
