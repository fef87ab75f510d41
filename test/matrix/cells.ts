import { expect, it } from 'vitest';
import type { Server, ServerOptions } from '@ccmcp/core';
import { type ClientOptions, McpClient } from '../support/mcp-client.ts';
import { httpWire } from '../support/http-wire.ts';
import { memoryWire, streamWire } from '../support/wires.ts';
import { type CheckedWire, checkedWire } from './checked-wire.ts';
import { everything } from './server.ts';
import { collectLog, type CollectedLog } from './log.ts';

export const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type Version = (typeof versions)[number];

const wires = {
  memory: memoryWire,
  newline: (server: Server) => streamWire(server, 'newline'),
  'content-length': (server: Server) => streamWire(server, 'content-length'),
  http: httpWire,
} as const;

export type WireName = keyof typeof wires;

/** The wires of this run. The quick tests leave the second framing to `content-length.slow.test.ts`. */
export const chosen: { wires: readonly WireName[] } = { wires: ['memory', 'newline', 'http'] };

/** Wires with one client per connection, which preserve the order of messages. */
export const pipes: readonly WireName[] = ['memory', 'newline', 'content-length'];

/** The wires on which messages are texts. */
export const textWires: readonly WireName[] = ['newline', 'content-length'];

/** One cell of the matrix: a revision over a wire, with its own server. */
export interface Cell {
  readonly version: Version;
  /** The era of the revision. */
  readonly stateless: boolean;
  readonly server: Server;
  /** The server's own log. */
  readonly log: CollectedLog;
  /** A client of this revision after the handshake. */
  connect(options?: Partial<ClientOptions>): Promise<Client>;
  /** A client of this revision, or another, before the handshake. */
  open(options?: Partial<ClientOptions>): Client;
}

export interface Client extends McpClient {
  readonly wire: CheckedWire;
}

type Body = (cell: Cell) => Promise<void>;

/** The name of a behaviour, and its test. */
export type Behaviour = readonly [what: string, body: Body];

/** Behaviours by their first revision; each holds until the next one. */
export type Behaviours = Readonly<{ '2024-11-05': Behaviour } & Partial<Record<Version, Behaviour>>>;

export interface FeatureOptions {
  /** Settings of the server under test. */
  server?: Partial<ServerOptions>;
  /** Default: all. */
  wires?: readonly WireName[];
}

/** A feature that differs between revisions: each revision has exactly one behaviour. */
export function feature(name: string, behaviours: Behaviours, options: FeatureOptions = {}): void {
  let behaviour = behaviours['2024-11-05'];
  for (const version of versions) {
    behaviour = behaviours[version] ?? behaviour;
    const [what, body] = behaviour;
    only(version, `${name}: ${what}`, body, options);
  }
}

/** A feature that is the same in every revision. */
export function everywhere(name: string, body: Body, options?: FeatureOptions): void {
  for (const version of versions) only(version, name, body, options);
}

/** A behaviour that does not depend on the revision. */
export function onEveryWire(name: string, body: Body, options?: FeatureOptions): void {
  only('2025-11-25', name, body, options);
}

/** Details of one revision; a `feature` beside them covers the others. */
export function only(version: Version, name: string, body: Body, options: FeatureOptions = {}): void {
  const { wires: names = Object.keys(wires) as WireName[], server = {} } = options;
  for (const wire of names.filter((each) => chosen.wires.includes(each))) {
    it(`${name} (${version}, ${wire})`, async () => {
      const clients = await inCell({ version, wire, server }, body);
      expect(clients.length).toBeGreaterThan(0);
      // Nothing that the server sent may violate the official types, whatever the test checked.
      expect(clients.flatMap((client) => client.wire.violations)).toEqual([]);
    });
  }
}

/** Runs a test in a cell; returns its clients, closed. */
async function inCell(
  { version, wire, server: settings }: { version: Version; wire: WireName; server: Partial<ServerOptions> },
  body: Body,
): Promise<Client[]> {
  const log = collectLog();
  const server = everything({ logger: log, ...settings });
  const clients: Client[] = [];
  const open = (options: Partial<ClientOptions> = {}): Client => {
    const client = new McpClient(checkedWire(wires[wire](server)), { version, ...options }) as Client;
    clients.push(client);
    return client;
  };
  const connect = async (options?: Partial<ClientOptions>): Promise<Client> => {
    const client = open(options);
    await client.initialize();
    return client;
  };
  try {
    await body({ version, stateless: version >= '2026', server, log, open, connect });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
  return clients;
}
