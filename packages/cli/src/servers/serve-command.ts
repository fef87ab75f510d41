import { limits, type LogLevel, type RateLimit } from '@ccmcp/core';
import type { ServerName } from './servers.ts';

/** The parsed options of serving. */
export interface ServeCommand {
  kind: 'serve';
  /** One, or several that are joined. */
  servers: ServerName[];
  /** The folder of the file tools. Absent: the server's own. */
  root?: string;
  /** No tool changes files. */
  readOnly: boolean;
  /** Deletes files at once, instead of moving them to the trash. */
  hard: boolean;
  /** The database of notes, if not the default one. */
  db?: string;
  /** All callers have the same notes. */
  sharedNotes: boolean;
  /** Absent: the server's own. */
  logLevel?: LogLevel;
  framing: 'auto' | 'newline' | 'content-length';
  maxMessage: number;
  /** How often one caller may send requests. */
  rateLimit?: RateLimit;
  /** Absent: on stdio. */
  http?: HttpAddress;
  /** The environment variable that holds the key, or several separated by commas, that callers must send. */
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
  /** The address for operators. Absent: none. */
  admin?: HttpAddress;
  /** That address may be public. */
  publicAdmin: boolean;
  /** Serves the inspector at /inspect. */
  inspector: boolean;
  /** Each request is a line in the log. */
  logRequests: boolean;
  /** Shortens the list of tools, as `toolSearch` does. */
  toolSearch?: { above?: number };
  /** The file that gets a line for each request. Absent: none does. */
  audit?: string;
  /** The environment variable that holds the key which its lines are sealed with. */
  auditKeyVariable?: string;
  /** Nothing is served while that file can't be written. */
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
