import type { Client } from '@ccmcp/core/client';
import type { ServerFacts, ConnectionStatus, ConnectionSettings } from '../../shared/connections.ts';
import type { Target } from '../targets.ts';
import { now } from '../log/event-log.ts';
import { mask } from '@ccmcp/core/recording';

const steps = {
  command: { step: 'start', message: 'No output yet' },
  url: { step: 'reach', message: 'No response yet' },
  own: { step: 'agree', message: 'It responds: negotiating revision and capabilities' },
} as const;

/** Initial status of a connection. */
export function initialStatus({ kind }: Target): ConnectionStatus {
  return { is: 'connecting', since: now(), ...steps[kind] };
}

/** Status once the server has responded for the first time. */
export const negotiatingStatus = { is: 'connecting', ...steps.own } as const;

/** Server info for the page. */
export function describeServer(client: Client, { kind }: Target): ServerFacts {
  const { serverInfo, protocolVersion, era, capabilities, instructions } = client;
  return {
    ...(serverInfo !== undefined && { info: parseInfo({ ...serverInfo }) }),
    protocolVersion,
    era,
    transport: kind === 'command' ? 'stdio' : kind === 'url' ? 'http' : 'memory',
    capabilities: capabilities as Readonly<Record<string, unknown>>,
    ...(instructions !== undefined && { instructions }),
    hasSession: era === 'handshake' && kind === 'url',
  };
}

/** Keeps string fields only; untrusted servers may send anything. */
function parseInfo({ name, version, title }: Readonly<Record<string, unknown>>): NonNullable<ServerFacts['info']> {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { name: text(name), version: text(version), ...(typeof title === 'string' && { title }) };
}

/** Merges settings; masked headers keep their previous values. */
export function mergeSettings(before: ConnectionSettings, after: ConnectionSettings): ConnectionSettings {
  if (after.headers === undefined) return { ...before, ...after };
  const headers = Object.entries(after.headers).map(
    ([name, value]) => [name, value === mask ? (before.headers?.[name] ?? value) : value] as const,
  );
  return { ...before, ...after, headers: Object.fromEntries(headers) };
}

/** Settings for the page, with masked header values. */
export function maskSettings({ headers, ...settings }: ConnectionSettings): ConnectionSettings {
  if (headers === undefined) return settings;
  return { ...settings, headers: Object.fromEntries(Object.keys(headers).map((name) => [name, mask])) };
}
