import type { Client } from '@ccmcp/core/client';
import { plain } from '../output.ts';
import type { Speaks } from './report.ts';

/** What an open client has learnt of its server. */
export async function whatItSpeaks(client: Client, transport: Speaks['transport']): Promise<Speaks> {
  const { capabilities, serverInfo, protocolVersion, era } = client;
  const count = async (list: { all(): Promise<unknown[]> }): Promise<number> => (await list.all()).length;
  return {
    transport,
    protocolVersion,
    era,
    ...(serverInfo && { server: { name: plain(serverInfo.name), version: plain(serverInfo.version) } }),
    tools: capabilities.tools === undefined ? 0 : await count(client.listTools()),
    resources: capabilities.resources === undefined ? 0 : await count(client.listResources()),
    prompts: capabilities.prompts === undefined ? 0 : await count(client.listPrompts()),
  };
}

/** The same in a sentence. */
export function speaksText({ server, protocolVersion, era, tools, resources, prompts }: Speaks): string {
  const name = server === undefined ? 'a server without a name' : `${server.name} ${server.version}`;
  const offers = `${tools} tools, ${resources} resources, ${prompts} prompts`;
  return `${name} speaks ${protocolVersion} (${era}) and offers ${offers}`;
}
