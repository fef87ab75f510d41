import type { CallOutcome } from '../../shared/calls.ts';
import type { ServerFacts } from '../../shared/connections.ts';
import type { ListKind } from '../../shared/lists.ts';
import type { Json } from '../form/json.ts';

/** Everything between one client and one server, as far as it can be compared. */
export interface Session {
  readonly label: string;
  readonly facts: ServerFacts | undefined;
  readonly lists: Readonly<Record<ListKind, SessionList>>;
  /** In the order in which they were made. */
  readonly calls: readonly SessionCall[];
  /** What the server sent outside of calls: how often, by method. */
  readonly notifications: ReadonlyMap<string, number>;
}

/** A list, as it was last known. */
export interface SessionList {
  readonly entries: ReadonlyMap<string, Json>;
  readonly ms?: number | undefined;
  /** How that was, where there are no entries: refused, or not declared. */
  readonly state: string;
}

/** A call with what can be compared of it. */
export interface SessionCall {
  readonly n: number;
  readonly method: string;
  readonly subject: string;
  readonly ms: number | undefined;
  readonly outcome: CallOutcome | 'open';
  /** Params, result, error, questions and notifications, without what is another each time. */
  readonly value: Readonly<Record<string, Json>>;
  /** Says what was called, with its arguments: the same for the same call. */
  readonly same: string;
  /** Says what was called, whatever the arguments. */
  readonly alike: string;
}
