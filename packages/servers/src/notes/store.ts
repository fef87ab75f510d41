import { ErrorCode, type Middleware, type Operation, ProtocolError, type Server, ToolError } from '@ccmcp/core';
import { NotesError } from './notes-error.ts';
import type { ChangeListener, NoteRepository } from './repository.ts';

/** Opens the repository; called once, and again after it failed. */
export type Opener = (listener: ChangeListener) => Promise<NoteRepository>;

/** The notes as handlers use them: opened on first use, with errors in the words of the protocol. */
export class Store {
  readonly #open: Opener;
  #opening: Promise<NoteRepository> | undefined;
  #opened: NoteRepository | undefined;
  #server: Server | undefined;

  constructor(open: Opener) {
    this.#open = open;
  }

  /** Runs a tool's work; what goes wrong with the notes is for the model to read. */
  async forModel<T>(work: (notes: NoteRepository) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#notes());
    } catch (error) {
      if (!(error instanceof NotesError)) throw error;
      this.#report(error);
      throw new ToolError(error.message);
    }
  }

  /** Runs the work of a resource or a prompt; what goes wrong with the notes is for the client program. */
  async forClient<T>(work: (notes: NoteRepository) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#notes());
    } catch (error) {
      if (!(error instanceof NotesError)) throw error;
      this.#report(error);
      const code = error.problem === 'unavailable' ? ErrorCode.InternalError : ErrorCode.InvalidParams;
      throw new ProtocolError(code, error.message);
    }
  }

  /** Tells a server's clients of changes from now on, also of those that other processes made. */
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
    return next();
  };

  /** Whoever listens must hear of changes before anything was read, so something is. */
  #startHearing(): void {
    this.#notes()
      .then((notes) => notes.idsLike('note_1', 1))
      .catch((error: unknown) => this.#server?.reportError('The notes can not be watched', error));
  }

  #notes(): Promise<NoteRepository> {
    this.#opening ??= this.#open((changes) => {
      for (const { id } of changes) this.#server?.resources.updated(`notes://${id}`);
      if (changes.some(({ listed }) => listed)) this.#server?.resources.changed();
    }).then(
      (opened) => (this.#opened = opened),
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  #report(error: NotesError): void {
    if (error.problem === 'unavailable') this.#server?.reportError(error.message, error.cause ?? error);
  }
}

function wantsToHear({ method }: Operation): boolean {
  return method === 'resources/subscribe' || method === 'subscriptions/listen';
}
