import { type Host, toolNameAtHost } from '../host/host.ts';

/** A note without its content. */
export interface NoteFacts {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** A note in a list, with a preview or a snippet. */
export interface NoteRow extends NoteFacts {
  readonly preview?: string;
  readonly snippet?: string;
}

/** A whole note. */
export interface Note extends NoteFacts {
  readonly content: string;
}

/** The contents of a new note. */
export interface Draft {
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
}

/** A page of notes, with the cursor of the next one. */
export interface NotePage {
  readonly notes: readonly NoteRow[];
  readonly next_cursor?: string;
}

/** Which notes to list. */
export interface NoteFilter {
  readonly query: string;
  readonly tag: string | undefined;
}

const ownTools = [
  'list_notes',
  'search_notes',
  'get_note',
  'create_note',
  'update_note',
  'delete_note',
  'restore_note',
];

/** Calls the tools of the server. */
export class NotesApi {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  find({ query, tag }: NoteFilter, cursor?: string): Promise<NotePage> {
    const from = cursor === undefined ? {} : { cursor };
    if (query !== '') return this.#call('search_notes', { query, limit: 30, ...from });
    return this.#call('list_notes', { limit: 50, ...(tag !== undefined && { tag }), ...from });
  }

  get(id: string): Promise<Note> {
    return this.#call('get_note', { id });
  }

  /** Creates a note once per key. */
  create(draft: Draft, key: string): Promise<NoteFacts> {
    return this.#call('create_note', { ...draft, idempotency_key: key });
  }

  /** Changes a note unless somebody else has changed it. */
  update({ id, updated_at: expected }: NoteFacts, changes: Partial<Draft>): Promise<NoteFacts> {
    return this.#call('update_note', { id, ...changes, expected_updated_at: expected });
  }

  remove(id: string): Promise<NoteFacts> {
    return this.#call('delete_note', { id });
  }

  restore(id: string): Promise<NoteFacts> {
    return this.#call('restore_note', { id });
  }

  async #call<Result>(name: string, args: object): Promise<Result> {
    const found: unknown = await this.#host.callTool(toolNameAtHost(this.#host.context, name, ownTools), args);
    return found as Result;
  }
}
