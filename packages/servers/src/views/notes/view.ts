import { isolateBidi, byId, onClick, setMessage, errorText, setText, createElement } from '../host/dom.ts';
import { type HostContext, localeOf, timeZoneOf } from '../host/host-context.ts';
import { type Host, connectHost, textOf, type ToolResult } from '../host/host.ts';
import { confirm } from './note-form.ts';
import { NoteForm } from './note-form.ts';
import { NoteList } from './note-list.ts';
import { type Note, NotesApi, type NotePage as Found } from './notes-api.ts';

/** The actions for the shown note. */
interface PageEvents {
  edit(note: Note): void;
  remove(note: Note): Promise<void>;
}

/** The page that shows a note. */
class NotePage {
  readonly #element = byId('reading', HTMLElement);
  #note: Note | undefined;

  constructor({ edit, remove }: PageEvents) {
    const editing = onClick('edit', () => this.#note !== undefined && edit(this.#note));
    const button = onClick('delete', () => {
      if (this.#note === undefined) return;
      button.disabled = editing.disabled = true;
      remove(this.#note)
        .catch((error: unknown) => setMessage('reading-problem', errorText(error)))
        .finally(() => (button.disabled = editing.disabled = false));
    });
  }

  get note(): Note | undefined {
    return this.#note;
  }

  show(note: Note, context: HostContext): void {
    this.#note = note;
    setText('title', note.title);
    const options = { timeZone: timeZoneOf(context), dateStyle: 'medium', timeStyle: 'short' } as const;
    const updated = new Intl.DateTimeFormat(localeOf(context), options).format(new Date(note.updated_at));
    setText('about', `${note.id} · changed ${isolateBidi(updated)}`);
    const tags = byId('note-tags', HTMLUListElement);
    tags.replaceChildren(...note.tags.map((tag) => createElement('li', tag)));
    tags.hidden = note.tags.length === 0;
    setText('content', note.content);
    setMessage('reading-problem', undefined);
    this.#element.hidden = false;
  }

  hide(): void {
    this.#element.hidden = true;
  }

  forget(): void {
    this.#note = undefined;
    this.hide();
  }
}

const main = document.querySelector('main') as HTMLElement;

let api: NotesApi | undefined;
let host: Host | undefined;
let context: HostContext = {};
/** The arguments of the call that opened the view. */
let input: Record<string, unknown> = {};
let opened = 0;

const list = new NoteList((id) => void open(id));
const page = new NotePage({
  edit: (note) => compose(note),
  async remove(note) {
    if (api === undefined || !(await confirm(`Delete “${isolateBidi(note.title)}”? It goes to the trash.`, 'Delete')))
      return;
    await api.remove(note.id);
    offerUndo(note);
    if (page.note?.id === note.id) {
      page.forget();
      if (!form.isOpen) showNothing();
    }
    await list.load();
  },
});
const form = new NoteForm({
  saved(note) {
    form.close();
    show(note);
    void list.load();
  },
  savedPartly: () => void list.load(),
  closed(note) {
    form.close();
    if (note === undefined) showNothing();
    else show(note);
    void list.load();
  },
});

/** Opens a note, unless the user wants to keep unsaved changes. */
async function open(id: string): Promise<void> {
  if (api === undefined || !(await form.confirmDiscard())) return;
  opened += 1;
  const request = opened;
  // Marks the note before it is loaded.
  list.mark(id);
  byId('page', HTMLElement).ariaBusy = 'true';
  try {
    const note = await api.get(id);
    // The user may have typed while it was loading.
    if (request !== opened || !(await form.confirmDiscard()) || request !== opened) return;
    setMessage('list-problem', undefined);
    form.close();
    show(note);
    // On a narrow page the list is hidden now, and the focus was in it.
    if (document.activeElement?.checkVisibility() !== true) byId('page', HTMLElement).focus();
  } catch (error) {
    if (request === opened) setMessage('list-problem', errorText(error));
  } finally {
    if (request === opened) {
      byId('page', HTMLElement).ariaBusy = 'false';
      list.mark(form.isOpen ? form.noteId : page.note?.id);
    }
  }
}

function show(note: Note): void {
  byId('none', HTMLElement).hidden = true;
  main.dataset.shown = 'note';
  if (api === undefined) main.dataset.only = 'note';
  page.show(note, context);
  list.mark(note.id);
}

function showNothing(): void {
  byId('none', HTMLElement).hidden = false;
  main.dataset.shown = 'list';
  list.mark(undefined);
  list.focus();
}

function compose(note: Note | undefined): void {
  // Cancels the note that is being loaded.
  opened += 1;
  byId('page', HTMLElement).ariaBusy = 'false';
  list.mark(note?.id);
  page.hide();
  byId('none', HTMLElement).hidden = true;
  main.dataset.shown = 'note';
  form.open(note);
}

let removed: Note | undefined;

function offerUndo(note: Note): void {
  removed = note;
  const letters = Array.from(note.title);
  const title = letters.length > 40 ? `${letters.slice(0, 40).join('')}…` : note.title;
  setText('toast-text', `“${isolateBidi(title)}” is in the trash`);
  byId('toast', HTMLElement).hidden = false;
}

async function undo(): Promise<void> {
  if (api === undefined || removed === undefined) return;
  const note = removed;
  try {
    const facts = await api.restore(note.id);
    byId('toast', HTMLElement).hidden = true;
    if (!form.isOpen) show({ ...note, ...facts });
    await list.load();
  } catch (error) {
    setText('toast-text', errorText(error));
  }
}

/** Shows the result of the tool that opened the view: a list, or one note. */
function showResult(result: ToolResult): void {
  const found = result.structuredContent;
  if (result.isError === true) setMessage('list-problem', textOf(result) || 'The tool failed, and did not say why');
  if (found !== undefined && Array.isArray(found.notes)) {
    const [query, tag] = [input.query, input.tag].map((each) => (typeof each === 'string' ? each : undefined));
    list.showFirst(found as unknown as Found, { ...(query && { query }), tag });
    return;
  }
  if (typeof found?.content === 'string' && !form.isOpen) show(found as unknown as Note);
  void list.load();
}

onClick('create', () => {
  void form.confirmDiscard().then((confirmed) => confirmed && compose(undefined));
});
onClick('undo', () => void undo());
for (const button of document.querySelectorAll<HTMLButtonElement>('.return')) {
  button.addEventListener('click', () => {
    main.dataset.shown = 'list';
    list.focus();
  });
}

/** Without tools, the view only shows the result. */
function useHost(connected: Host): void {
  host = connected;
  api = connected.callsTools ? new NotesApi(connected) : undefined;
  list.use(api);
  if (api !== undefined) form.use(api);
  else {
    for (const id of ['create', 'edit', 'delete']) byId(id, HTMLButtonElement).hidden = true;
    main.dataset.only = 'list';
    setMessage(
      'notice',
      'This host lets views call no tools: what was found is listed here, and can’t be opened or changed.',
    );
  }
}

try {
  let early: ToolResult | undefined;
  const connected = await connectHost({
    name: 'notes',
    version: '0.1.0',
    input: (args) => (input = args),
    result(result) {
      if (host === undefined) early = result;
      else showResult(result);
    },
    cancelled: () => void list.load(),
    changed(latest) {
      context = latest;
      if (page.note !== undefined && !form.isOpen) page.show(page.note, context);
    },
    ended: () => form.saveDraft(),
  });
  useHost(connected);
  if (early !== undefined) showResult(early);
} catch (error) {
  setMessage('list-problem', errorText(error));
}
