import { type LogLevel, logLevels } from '@ccmcp/core';
import type { Client, LogMessage } from '@ccmcp/core/client';
import { toOneLine, safeJson, type Style } from '../../terminal/print.ts';
import type { ClientOptions } from '../options.ts';
import type { Output } from '../../terminal/output.ts';
import { host } from '../../host.ts';

/** The default level. */
const defaultLevel: LogLevel = 'info';

const requested = new WeakSet<Client>();

/**
 * Tells the server once which log messages are wanted: those that were asked for, or on a terminal the usual ones. Scripts get
 * what the server sends by itself. A server that can't be told goes on without.
 */
export async function requestLogLevel(client: Client, { logLevel, json }: ClientOptions): Promise<void> {
  const level = logLevel ?? (host.stderr.isTTY && !json ? defaultLevel : undefined);
  if (level === undefined || client.capabilities.logging === undefined || requested.has(client)) return;
  requested.add(client);
  await client.setLogLevel(level).catch(() => {});
}

/** Shows a log message of the server, if it is severe enough. */
export function showLog({ level, logger, data }: LogMessage, { logLevel }: ClientOptions, output: Output): void {
  if (logLevels.indexOf(level) < logLevels.indexOf(logLevel ?? defaultLevel)) return;
  const from = logger === undefined ? '' : `${toOneLine(logger)}: `;
  output.note(`[${level}] ${from}${typeof data === 'string' ? data : safeJson(data)}`, styleOf(level));
}

function styleOf(level: LogLevel): Style {
  const severity = logLevels.indexOf(level);
  if (severity >= logLevels.indexOf('error')) return 'red';
  return severity >= logLevels.indexOf('warning') ? 'yellow' : 'dim';
}
