import { apart, byId, press, say, wordsOf, write } from '../host/dom.ts';
import { type Host, connectHost, textOf } from '../host/host.ts';
import type { HostContext, ToolResult } from '../host/messages.ts';
import { ask } from './ask.ts';
import { NoteForm } from './note-form.ts';
import { NoteList } from './note-list.ts';
import { NotePage } from './note-page.ts';
import { type Note, NotesApi, type NotePage as Found } from './notes-api.ts';

const main = document.querySelector('main') as HTMLElement;

let api: NotesApi | undefined;
let host: Host | undefined;
let context: HostContext = {};
/** The arguments of the call that the view was opened with. */
let input: Record<string, unknown> = {};
let opened = 0;

const list = new NoteList((id) => void open(id));
const page = new NotePage({
  edit: (note) => compose(note),
  async remove(note) {
    if (api === undefined || !(await ask(`Delete “${apart(note.title)}”? It goes to the trash.`, 'Delete'))) return;
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
  savedInPart: () => void list.load(),
  left(note) {
    form.close();
    if (note === undefined) showNothing();
    else show(note);
    void list.load();
  },
});

/** Opens a note, unless something is being written that the person wants to keep. */
async function open(id: string): Promise<void> {
  if (api === undefined || !(await form.mayLeave())) return;
  opened += 1;
  const mine = opened;
  // The choice shows at once, however long the note takes.
  list.mark(id);
  byId('page', HTMLElement).ariaBusy = 'true';
  try {
    const note = await api.get(id);
    // Something may have been written while it was on its way.
    if (mine !== opened || !(await form.mayLeave()) || mine !== opened) return;
    say('list-problem', undefined);
    form.close();
    show(note);
    // Where there is room for one of them only, the list has gone, and with it the focus.
    if (document.activeElement?.checkVisibility() !== true) byId('page', HTMLElement).focus();
  } catch (error) {
    if (mine === opened) say('list-problem', wordsOf(error));
  } finally {
    if (mine === opened) {
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
  // Whatever was to be opened is wanted no more.
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
  write('toast-text', `“${apart(title)}” is in the trash`);
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
    write('toast-text', wordsOf(error));
  }
}

/** Takes the result of the tool that the view was opened with: a list, or one note. */
function take(result: ToolResult): void {
  const found = result.structuredContent;
  if (result.isError === true) say('list-problem', textOf(result) || 'The tool failed, and did not say why');
  if (found !== undefined && Array.isArray(found.notes)) {
    const [query, tag] = [input.query, input.tag].map((each) => (typeof each === 'string' ? each : undefined));
    list.begin(found as unknown as Found, { ...(query && { query }), tag });
    return;
  }
  if (typeof found?.content === 'string' && !form.isOpen) show(found as unknown as Note);
  void list.load();
}

press('create', () => {
  void form.mayLeave().then((may) => may && compose(undefined));
});
press('undo', () => void undo());
for (const button of document.querySelectorAll<HTMLButtonElement>('.return')) {
  button.addEventListener('click', () => {
    main.dataset.shown = 'list';
    list.focus();
  });
}

/** Without tools, what was found can be read and no more. */
function meet(met: Host): void {
  host = met;
  api = met.callsTools ? new NotesApi(met) : undefined;
  list.use(api);
  if (api !== undefined) form.use(api);
  else {
    for (const id of ['create', 'edit', 'delete']) byId(id, HTMLButtonElement).hidden = true;
    main.dataset.only = 'list';
    say('notice', 'This host lets views call no tools: what was found is listed here, and can’t be opened or changed.');
  }
}

try {
  let early: ToolResult | undefined;
  const met = await connectHost({
    name: 'notes',
    version: '0.1.0',
    input: (args) => (input = args),
    result(result) {
      if (host === undefined) early = result;
      else take(result);
    },
    cancelled: () => void list.load(),
    changed(latest) {
      context = latest;
      if (page.note !== undefined && !form.isOpen) page.show(page.note, context);
    },
    ended: () => form.keep(),
  });
  meet(met);
  if (early !== undefined) take(early);
} catch (error) {
  say('list-problem', wordsOf(error));
}
