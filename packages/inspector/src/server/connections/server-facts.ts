import type { Client } from '@ccmcp/core/client';
import type { ServerFacts } from '../../shared/connections.ts';
import type { Target } from '../targets.ts';

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
