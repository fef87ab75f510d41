import type { ClientCapabilities } from '@ccmcp/core';
import type { Client } from '@ccmcp/core/client';
import type { ActiveCall, UpstreamConnection } from './connection.ts';
import { toAbilitiesKey } from '../messages.ts';

/** The maximum tools whose questions are remembered. */
const maxSubjects = 10_000;

/** The connections to one upstream, and which of them a call may use. */
export class ConnectionPool {
  readonly all: Set<UpstreamConnection> = new Set();
  /** The era of the server, once it was connected. */
  era: 'handshake' | 'stateless' | undefined;
  /** The connection that was opened first: it serves what belongs to no caller. */
  primary: UpstreamConnection | undefined;
  /** What was called, and whether it asked questions. */
  readonly #asks = new Map<string, boolean>();
  readonly #onClosed: (client: Client, reason?: Error) => void;

  constructor(onClosed: (client: Client, reason?: Error) => void) {
    this.#onClosed = onClosed;
  }

  /** Any connection, also one that is not open yet. */
  get first(): UpstreamConnection | undefined {
    return this.primary ?? first(this.all);
  }

  get activeCalls(): number {
    let count = 0;
    for (const { active } of this.all) count += active.length;
    return count;
  }

  /** A handshake server that may ask is used by one caller at a time, until the tool is known not to ask. */
  isExclusive({ subject, abilities }: ActiveCall): boolean {
    return this.era !== 'stateless' && Object.keys(abilities).length > 0 && this.#asks.get(subject) !== false;
  }

  /** A connection that a call may use. Capabilities are declared for a whole connection of the handshake. */
  find(call: ActiveCall, isExclusive: boolean): UpstreamConnection | undefined {
    if (this.era === 'stateless') return this.first;
    const key = toAbilitiesKey(call.abilities);
    for (const connection of this.all) {
      if (connection.abilitiesKey === key && connection.admits(call, isExclusive)) return connection;
    }
    return undefined;
  }

  /** A connection with these capabilities, also one that is not open yet. */
  findAlike(abilities: ClientCapabilities): UpstreamConnection | undefined {
    const key = toAbilitiesKey(abilities);
    for (const connection of this.all) if (connection.abilitiesKey === key) return connection;
    return undefined;
  }

  /** An open connection that no call uses. */
  findUnused(): UpstreamConnection | undefined {
    for (const connection of this.all) {
      if (connection.active.length === 0 && connection.client !== undefined) return connection;
    }
    return undefined;
  }

  /** Records an open connection. */
  opened(connection: UpstreamConnection, client: Client): void {
    connection.client = client;
    this.era = client.era;
    if (this.all.has(connection)) this.primary ??= connection;
  }

  /** Removes a connection, which another one may replace. False if it was removed before. */
  remove(connection: UpstreamConnection, reason?: Error): boolean {
    if (!this.all.delete(connection)) return false;
    if (connection.client !== undefined) this.#onClosed(connection.client, reason);
    if (this.primary !== connection) return true;
    this.primary = undefined;
    for (const other of this.all) if (other.client !== undefined) this.primary ??= other;
    return true;
  }

  /** Records whether a tool asks questions: after its first question, or after a call without one. */
  remember({ subject }: ActiveCall, asks: boolean): void {
    if (this.#asks.get(subject) === true) return;
    if (this.#asks.size >= maxSubjects) this.#asks.delete(first(this.#asks.keys()) as string);
    this.#asks.set(subject, asks);
  }
}

function first<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value;
  return undefined;
}
