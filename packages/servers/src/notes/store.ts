import {
  type Context,
  ErrorCode,
  type Middleware,
  type Next,
  type Operation,
  type Outcome,
  ProtocolError,
  type Server,
  ToolError,
} from '@ccmcp/core';
import { NotesError } from './notes-error.ts';
import { anonymousOwner, ownerOf, principalOf } from './access.ts';
import type { ChangeListener, NoteChange, NoteRepository } from './repository.ts';

const scheme = 'notes://';

/** Opens the repository; called again after a failure. */
export type Opener = (listener: ChangeListener) => Promise<NoteRepository>;

/** The caller. */
type Asker = Pick<Context, 'auth'>;

/** Whether callers share notes. */
export interface Sharing {
  /** All callers have the same notes, whoever they are. */
  shared?: boolean | undefined;
}

/** The notes for handlers: opens the repository on first use, selects the caller's notes, and converts errors. */
export class Store {
  readonly #open: Opener;
  readonly #shared: boolean;
  #opening: Promise<NoteRepository> | undefined;
  #opened: NoteRepository | undefined;
  #server: Server | undefined;

  constructor(open: Opener, { shared = false }: Sharing = {}) {
    this.#open = open;
    this.#shared = shared;
  }

  /** Runs a tool; errors become tool errors for the model. */
  async forModel<T>(asker: Asker, work: (notes: NoteRepository) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#notesOf(asker));
    } catch (error) {
      if (!(error instanceof NotesError)) throw error;
      this.#report(error);
      throw new ToolError(error.message);
    }
  }

  /** Runs a resource or prompt; errors become protocol errors for the client. */
  async forClient<T>(asker: Asker, work: (notes: NoteRepository) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#notesOf(asker));
    } catch (error) {
      if (!(error instanceof NotesError)) throw error;
      this.#report(error);
      const code = error.problem === 'unavailable' ? ErrorCode.InternalError : ErrorCode.InvalidParams;
      throw new ProtocolError(code, error.message);
    }
  }

  /** Notifies the clients of a server of changes, also by other processes. */
  announceTo(server: Server): void {
    this.#server = server;
    server.use(this.#keepUp);
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  readonly #keepUp: Middleware = (call, next) => {
    this.#opened?.refresh();
    if (wantsToHear(call)) this.#startHearing();
    return call.method === 'resources/subscribe' && !this.#shared && call.auth !== undefined
      ? this.#subscribe(call, next)
      : next();
  };

  /** Authenticated callers can only subscribe to their own notes. */
  async #subscribe(call: Operation, next: Next): Promise<Outcome> {
    const { uri } = call.params;
    const id = typeof uri === 'string' && uri.startsWith(scheme) ? uri.slice(scheme.length) : undefined;
    const watchable = id === undefined || (await this.forClient(call, (notes) => notes.owns(id)));
    if (!watchable) throw noSuchResource(String(uri));
    return next();
  }

  /** Opens the repository, so that a subscriber gets changes before its first read. */
  #startHearing(): void {
    this.#notes()
      .then((notes) => notes.idsLike('note_1', 1))
      .catch((error: unknown) => this.#server?.reportError('The notes can not be watched', error));
  }

  async #notesOf({ auth }: Asker): Promise<NoteRepository> {
    const notes = await this.#notes();
    return this.#shared || auth === undefined ? notes : notes.ownedBy(ownerOf(auth.principal));
  }

  #notes(): Promise<NoteRepository> {
    this.#opening ??= this.#open((changes) => this.#tell(changes)).then(
      (opened) => (this.#opened = opened),
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  /** Notifies the owners only. */
  #tell(changes: readonly NoteChange[]): void {
    for (const { id, owner, listed } of changes) {
      if (this.#shared && owner !== anonymousOwner) continue;
      const to = this.#shared ? undefined : { principal: principalOf(owner) };
      this.#server?.resources.updated(`${scheme}${id}`, to);
      if (listed) this.#server?.resources.changed(to);
    }
  }

  #report(error: NotesError): void {
    if (error.problem === 'unavailable') this.#server?.reportError(error.message, error.cause ?? error);
  }
}

function wantsToHear({ method }: Operation): boolean {
  return method === 'resources/subscribe' || method === 'subscriptions/listen';
}

function noSuchResource(uri: string): ProtocolError {
  const shown = uri.slice(0, 100);
  return new ProtocolError(ErrorCode.ResourceNotFound, `Resource not found: ${shown}`, { uri: shown });
}
