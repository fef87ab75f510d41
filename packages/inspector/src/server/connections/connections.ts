import { limits } from '@ccmcp/core';
import type { ConnectionTerms } from '../../shared/connections.ts';
import type { FindEntries } from '../files/recording-format.ts';
import { maskLabel } from '../secrets.ts';
import { Refusal, type Target } from '../targets.ts';
import { OpenConnection, type Surroundings } from './connection.ts';

const most = limits.inspector.connections.value;

/** The servers that somebody at the page wants to see. */
export class Connections {
  readonly #around: Surroundings;
  readonly #all = new Map<string, OpenConnection>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  get(id: string): OpenConnection {
    const found = this.#all.get(id);
    if (found === undefined) throw new Refusal('There is no such connection', 'It may have been forgotten.', 404);
    return found;
  }

  /** The entries of a version of a list, as far as they are known. */
  readonly listed: FindEntries = (connection, kind, version) => this.#all.get(connection)?.lists.entries(kind, version);

  /** Begins to connect to a target; gives the id of the connection at once. */
  add(target: Target, terms: ConnectionTerms, known?: string): OpenConnection {
    if (this.#all.size >= most) throw new Refusal(`There are ${most} connections already`, 'Forget some of them.', 409);
    const wish = {
      id: this.#around.ids.next('s'),
      label: this.#labelFor(maskLabel(target.label)),
      target,
      terms,
      known,
    };
    const connection = new OpenConnection(this.#around, wish);
    this.#all.set(connection.id, connection);
    return connection;
  }

  async forget(id: string): Promise<void> {
    const connection = this.get(id);
    this.#all.delete(id);
    await connection.close();
    this.#around.log.add('forgotten', { connection: id });
  }

  /** The connection that has a subscription. */
  withSubscription(subscription: string): OpenConnection | undefined {
    return [...this.#all.values()].find(({ subscriptions }) => subscriptions.has(subscription));
  }

  [Symbol.iterator](): IterableIterator<OpenConnection> {
    return this.#all.values();
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#all.values(), (connection) => connection.close()));
    this.#all.clear();
  }

  /** A label that no other connection has. */
  #labelFor(label: string): string {
    const taken = new Set(Array.from(this.#all.values(), (each) => each.label));
    if (!taken.has(label)) return label;
    let count = 2;
    while (taken.has(`${label} ${count}`)) count += 1;
    return `${label} ${count}`;
  }
}
