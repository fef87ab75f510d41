import type { Client } from '@ccmcp/core/client';
import type { ServerFacts, ConnectionStatus, ConnectionTerms } from '../../shared/connections.ts';
import type { Target } from '../targets.ts';
import { now } from '../log/event-log.ts';
import { masked } from '../secrets.ts';

const steps = {
  command: { step: 'start', says: 'It has not said anything yet' },
  url: { step: 'reach', says: 'It has not answered yet' },
  own: { step: 'agree', says: 'It answers: the two sides agree on revision and capabilities' },
} as const;

/** How a connection is that is about to be made. */
export function beginning({ kind }: Target): ConnectionStatus {
  return { is: 'connecting', since: now(), ...steps[kind] };
}

/** How a connection is whose other side was heard for the first time. */
export const agreeing = { is: 'connecting', ...steps.own } as const;

/** What a server has said of itself, for the page. */
export function serverFacts(client: Client, { kind }: Target): ServerFacts {
  const { serverInfo, protocolVersion, era, capabilities, instructions } = client;
  return {
    ...(serverInfo !== undefined && { info: infoOf({ ...serverInfo }) }),
    protocolVersion,
    era,
    transport: kind === 'command' ? 'stdio' : kind === 'url' ? 'http' : 'memory',
    capabilities: capabilities as Readonly<Record<string, unknown>>,
    ...(instructions !== undefined && { instructions }),
    hasSession: era === 'handshake' && kind === 'url',
  };
}

/** What of it is text: the rest is not as it should be. */
function infoOf({ name, version, title }: Readonly<Record<string, unknown>>): NonNullable<ServerFacts['info']> {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { name: text(name), version: text(version), ...(typeof title === 'string' && { title }) };
}

/** Other terms, in which headers that the page only knows masked stay as they were. */
export function mergedTerms(before: ConnectionTerms, after: ConnectionTerms): ConnectionTerms {
  if (after.headers === undefined) return { ...before, ...after };
  const headers = Object.entries(after.headers).map(
    ([name, value]) => [name, value === masked ? (before.headers?.[name] ?? value) : value] as const,
  );
  return { ...before, ...after, headers: Object.fromEntries(headers) };
}

/** The terms as the page may see them: of headers, the names. */
export function shownTerms({ headers, ...terms }: ConnectionTerms): ConnectionTerms {
  if (headers === undefined) return terms;
  return { ...terms, headers: Object.fromEntries(Object.keys(headers).map((name) => [name, masked])) };
}
