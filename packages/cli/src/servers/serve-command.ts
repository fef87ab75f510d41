import { limits, type LogLevel, type RateLimit } from '@ccmcp/core';
import type { ServerName } from './servers.ts';

/** The parsed options of serving. */
export interface ServeCommand {
  kind: 'serve';
  /** One server, or several to compose. */
  servers: ServerName[];
  /** The folder of the file tools. Absent: the server's own. */
  root?: string;
  /** Disables tools that change files. */
  readOnly: boolean;
  /** Deletes files permanently, instead of moving them to the trash. */
  hard: boolean;
  /** The database of notes, if not the default one. */
  db?: string;
  /** Shares the notes between all callers. */
  sharedNotes: boolean;
  /** Absent: the server's own. */
  logLevel?: LogLevel;
  framing: 'auto' | 'newline' | 'content-length';
  maxMessage: number;
  /** The rate limit per caller. */
  rateLimit?: RateLimit;
  /** Absent: stdio. */
  http?: HttpAddress;
  /** The environment variable with the required API key, or several separated by commas. */
  apiKeyVariable?: string;
  apiKeyHeader?: string;
  /** The OAuth options. Absent: no OAuth. */
  oauth?: OAuthFlags;
  allowHosts: string[];
  allowOrigins: string[];
  sse: boolean;
  /** The URL of the shared store. Absent: the memory of this process. */
  store?: string;
  publicWithoutAuth: boolean;
  /** How many processes serve. Absent: this one. */
  workers?: number | 'auto';
  /** Serves /healthz and /readyz. */
  health: boolean;
  /** The admin address. Absent: none. */
  admin?: HttpAddress;
  /** Allows a public admin address. */
  publicAdmin: boolean;
  /** Serves the inspector at /inspect. */
  inspector: boolean;
  /** Writes a line per request to the log. */
  logRequests: boolean;
  /** Shortens the list of tools, as `toolSearch` does. */
  toolSearch?: { above?: number };
  /** The lock that the server must fulfil. Absent: none. */
  lock?: string;
  /** The audit log. Absent: none. */
  audit?: string;
  /** The environment variable with the key that signs its lines. */
  auditKeyVariable?: string;
  /** Rejects requests while the audit log can't be written. */
  auditStrict: boolean;
  allowShutdown: boolean;
}

/** The OAuth options of serving. */
export interface OAuthFlags {
  issuers: string[];
  resource?: string;
  scopes: string[];
  audiences: string[];
}

/** Where to listen. Absent parts: the default of the server. */
export interface HttpAddress {
  host?: string;
  port?: number;
}

/** The command without options. */
export function defaultCommand(env: Readonly<Record<string, string | undefined>>): ServeCommand {
  return {
    kind: 'serve',
    servers: ['ccmcp'],
    ...(env.CCMCP_ROOT && { root: env.CCMCP_ROOT }),
    readOnly: false,
    hard: false,
    sharedNotes: false,
    framing: 'auto',
    maxMessage: limits.stdio.maxMessage.value,
    allowHosts: [],
    allowOrigins: [],
    sse: false,
    publicWithoutAuth: false,
    health: false,
    publicAdmin: false,
    inspector: false,
    logRequests: false,
    auditStrict: false,
    allowShutdown: false,
    ...(env.REDIS_URL && { store: env.REDIS_URL }),
  };
}
