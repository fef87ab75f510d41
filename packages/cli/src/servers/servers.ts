import type { LogLevel, Server } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { ccmcpServer } from '@ccmcp/servers/ccmcp';

/** Settings of ready-made servers. */
interface ServerSettings {
  /** Absent: the server's own. */
  root?: string;
  readOnly: boolean;
  hard: boolean;
  /** The database of notes, if not the default one. */
  db?: string;
  /** Shares the notes between all callers. */
  sharedNotes?: boolean;
  /** Absent: the server's own. */
  logLevel?: LogLevel;
  allowShutdown: boolean;
  /** Names of other tools in the same composed server. */
  otherTools?: () => Iterable<string>;
}

/** The settings, with the servers to create: one, or several to compose. */
interface ServerRequest extends ServerSettings {
  servers: readonly ServerName[];
}

/** A ready-made server. */
interface ReadyServer {
  /** Its line in the help. */
  summary: string;
  /** Created on demand: the modules of one server must not slow the start of another. */
  make(settings: ServerSettings, shutDown: () => void): Server | Promise<Server>;
  /** The HTTP defaults of this server. */
  http?: HttpDefaults;
}

export interface HttpDefaults {
  port: number;
  keyHeader: string;
  /** The variable with the key that this server requires over HTTP. */
  keyVariable?: string;
}

const readyServers = {
  ccmcp: {
    summary: 'a few simple tools, files inside one folder, tools made while it runs (the default)',
    make: (settings) => ccmcpServer(settings),
  },
  moonphase: {
    summary: "the moon's age, illumination and phase at any time",
    async make({ logLevel, allowShutdown }, shutDown) {
      const { moonphaseServer } = await import('@ccmcp/servers/moonphase');
      return moonphaseServer({ ...(logLevel && { logLevel }), ...(allowShutdown && { allowShutdown: shutDown }) });
    },
    http: { port: 8181, keyHeader: 'X-Api-Token', keyVariable: 'MOONPHASE_API_KEY' },
  },
  notes: {
    summary: 'persistent notes with search, shared between programs',
    async make({ logLevel, db, sharedNotes }) {
      const { notesServer } = await import('@ccmcp/servers/notes');
      return notesServer({
        ...(logLevel && { logLevel }),
        db,
        databaseUrl: process.env.DATABASE_URL,
        shared: sharedNotes,
      });
    },
  },
  miniagent: {
    summary: 'English verbs in all their forms, and common ones in Spanish',
    async make({ logLevel }) {
      const { miniagentServer } = await import('@ccmcp/servers/miniagent');
      return miniagentServer({ ...(logLevel && { logLevel }) });
    },
  },
  greeting: {
    summary: 'one tool that greets: the smallest example',
    async make() {
      const { greetingServer } = await import('@ccmcp/servers/greeting');
      return greetingServer();
    },
  },
  everything: {
    summary: 'every feature of MCP, to test clients with',
    async make({ logLevel }) {
      const { everythingServer } = await import('@ccmcp/servers/everything');
      return everythingServer({ ...(logLevel && { logLevel }) });
    },
  },
} satisfies Record<string, ReadyServer>;

export type ServerName = keyof typeof readyServers;

export const serverNames = Object.keys(readyServers) as ServerName[];

/** A line about each ready-made server. */
export const serverSummaries = Object.fromEntries(
  Object.entries(readyServers).map(([name, { summary }]) => [name, summary]),
) as Readonly<Record<ServerName, string>>;

/** Creates one server from those that were named. */
export function createReadyServer(command: ServerRequest, shutDown: () => void): Server | Promise<Server> {
  const [only, ...others] = command.servers;
  if (only !== undefined && others.length === 0) return readyServers[only].make(command, shutDown);
  return composeServers(command, shutDown);
}

async function composeServers(command: ServerRequest, shutDown: () => void): Promise<Server> {
  const parts: Record<string, Server> = {};
  const settings = { ...command, otherTools: () => toolNames(Object.values(parts)) };
  for (const name of command.servers) parts[name] = await readyServers[name].make(settings, shutDown);
  // The same log level for a server alone and composed.
  const logLevel = command.logLevel ?? ('ccmcp' in parts ? 'debug' : 'info');
  return compose(parts, { name: 'ccmcp', version: '0.1.0', logLevel });
}

function* toolNames(servers: readonly Server[]): Generator<string> {
  for (const { tools } of servers) for (const { name } of tools) yield name;
}

/** The default HTTP settings of the named servers. */
export function httpDefaults({ servers }: Pick<ServerRequest, 'servers'>): HttpDefaults {
  const [only, another] = servers;
  const own: ReadyServer | undefined = only !== undefined && another === undefined ? readyServers[only] : undefined;
  return own?.http ?? { port: 8080, keyHeader: 'X-Api-Key' };
}
