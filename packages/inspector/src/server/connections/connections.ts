import type { ConnectionSettings } from '../../shared/connections.ts';
import type { FindEntries } from '../files/recording-format.ts';
import { maskLabel } from '@ccmcp/core/recording';
import { RequestError, type Target } from '../targets.ts';
import { ServerConnection, type ConnectionContext } from './connection.ts';

/** Maximum number of connections, open or not. */
const maxConnections = 50;

/** The open connections. */
export class Connections {
  readonly #context: ConnectionContext;
  readonly #all = new Map<string, ServerConnection>();

  constructor(context: ConnectionContext) {
    this.#context = context;
  }

  get(id: string): ServerConnection {
    const found = this.#all.get(id);
    if (found === undefined) throw new RequestError('Unknown connection', 'It may have been removed.', 404);
    return found;
  }

  /** Entries of a list version, if still stored. */
  readonly findEntries: FindEntries = (connection, kind, version) =>
    this.#all.get(connection)?.lists.entries(kind, version);

  /** Adds a connection to a target. */
  add(target: Target, settings: ConnectionSettings, targetId?: string): ServerConnection {
    if (this.#all.size >= maxConnections)
      throw new RequestError(`There are ${maxConnections} connections already`, 'Forget some of them.', 409);
    const options = {
      id: this.#context.ids.next('s'),
      label: this.#uniqueLabel(maskLabel(target.label)),
      target,
      settings,
      targetId,
    };
    const connection = new ServerConnection(this.#context, options);
    this.#all.set(connection.id, connection);
    return connection;
  }

  async forget(id: string): Promise<void> {
    const connection = this.get(id);
    this.#all.delete(id);
    await connection.close();
    this.#context.log.add('forgotten', { connection: id });
  }

  /** Finds the connection of a subscription. */
  findBySubscription(subscription: string): ServerConnection | undefined {
    return [...this.#all.values()].find(({ subscriptions }) => subscriptions.has(subscription));
  }

  [Symbol.iterator](): IterableIterator<ServerConnection> {
    return this.#all.values();
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#all.values(), (connection) => connection.close()));
    this.#all.clear();
  }

  /** Makes a label unique. */
  #uniqueLabel(label: string): string {
    const taken = new Set(Array.from(this.#all.values(), ({ state }) => state.label));
    if (!taken.has(label)) return label;
    let count = 2;
    while (taken.has(`${label} ${count}`)) count += 1;
    return `${label} ${count}`;
  }
}
