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
import { NotesError } from './note.ts';
import { anonymousOwner, ownerOf, principalOf } from './access.ts';
import type { ChangeListener, NoteChange, NoteRepository } from './repository.ts';

const scheme = 'notes://';

/** Opens the repository; called again after a failure. */
export type Opener = (listener: ChangeListener) => Promise<NoteRepository>;

type Caller = Pick<Context, 'auth'>;

/** Whether callers share notes. */
export interface Sharing {
  /** All callers share the same notes. */
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
  forModel<T>(caller: Caller, work: (notes: NoteRepository) => Promise<T>): Promise<T> {
    return this.#run(caller, work, ({ message }) => new ToolError(message));
  }

  /** Runs a resource or prompt; errors become protocol errors for the client. */
  forClient<T>(caller: Caller, work: (notes: NoteRepository) => Promise<T>): Promise<T> {
    return this.#run(caller, work, ({ message, problem }) => {
      return new ProtocolError(problem === 'unavailable' ? ErrorCode.InternalError : ErrorCode.InvalidParams, message);
    });
  }

  /** Notifies the clients of a server of changes, also by other processes. */
  notifyClientsOf(server: Server): void {
    this.#server = server;
    server.use(this.#trackChanges, { deferHandshake: true });
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  readonly #trackChanges: Middleware = (call, next) => {
    this.#opened?.refresh();
    if (isSubscription(call)) this.#startListening();
    return call.method === 'resources/subscribe' && !this.#shared && call.auth !== undefined
      ? this.#subscribe(call, next)
      : next();
  };

  /** Authenticated callers can only subscribe to their own notes. */
  async #subscribe(call: Operation, next: Next): Promise<Outcome> {
    const { uri } = call.params;
    const id = typeof uri === 'string' && uri.startsWith(scheme) ? uri.slice(scheme.length) : undefined;
    const allowed = id === undefined || (await this.forClient(call, (notes) => notes.owns(id)));
    if (!allowed) throw resourceNotFound(String(uri));
    return next();
  }

  /** Opens the repository, so that a subscriber gets changes before its first read. */
  #startListening(): void {
    this.#notes()
      .then((notes) => notes.idsLike('note_1', 1))
      .catch((error: unknown) => this.#server?.reportError('The notes can not be watched', error));
  }

  #notes(): Promise<NoteRepository> {
    this.#opening ??= this.#open((changes) => this.#notifyOwners(changes)).then(
      (opened) => (this.#opened = opened),
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  /** Notifies the owners only. */
  #notifyOwners(changes: readonly NoteChange[]): void {
    for (const { id, owner, listed } of changes) {
      if (this.#shared && owner !== anonymousOwner) continue;
      const to = this.#shared ? undefined : { principal: principalOf(owner) };
      this.#server?.resources.updated(`${scheme}${id}`, to);
      if (listed) this.#server?.resources.changed(to);
    }
  }

  async #run<T>(
    { auth }: Caller,
    work: (notes: NoteRepository) => Promise<T>,
    convert: (error: NotesError) => Error,
  ): Promise<T> {
    try {
      const notes = await this.#notes();
      return await work(this.#shared || auth === undefined ? notes : notes.ownedBy(ownerOf(auth.principal)));
    } catch (error) {
      if (!(error instanceof NotesError)) throw error;
      if (error.problem === 'unavailable') this.#server?.reportError(error.message, error.cause ?? error);
      throw convert(error);
    }
  }
}

function isSubscription({ method }: Operation): boolean {
  return method === 'resources/subscribe' || method === 'subscriptions/listen';
}

function resourceNotFound(uri: string): ProtocolError {
  const shown = uri.slice(0, 100);
  return new ProtocolError(ErrorCode.ResourceNotFound, `Resource not found: ${shown}`, { uri: shown });
}
