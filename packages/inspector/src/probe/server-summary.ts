import { ProtocolError } from '@ccmcp/core';
import { type Client, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { Problem, type ServerSummary } from './report.ts';
import type { ProbeTexts } from './texts.ts';

const names = ['tools', 'resources', 'prompts'] as const;
type ListName = (typeof names)[number];

/** Summarizes the server of an open client, and reports lists that fail. */
export async function summarizeServer(
  client: Client,
  transport: ServerSummary['transport'],
  texts: ProbeTexts,
): Promise<{ speaks: ServerSummary; problem: Problem | undefined }> {
  const { serverInfo, protocolVersion, era } = client;
  const counts: Record<ListName, number | null> = { tools: 0, resources: 0, prompts: 0 };
  const failed: [ListName, unknown][] = [];
  for (const name of names) {
    if (client.capabilities[name] === undefined) continue;
    try {
      counts[name] = await counters[name](client);
    } catch (error) {
      // A lost connection affects every list.
      if (!isListError(error)) throw error;
      counts[name] = null;
      failed.push([name, error]);
    }
  }
  const speaks: ServerSummary = {
    transport,
    protocolVersion,
    era,
    ...(serverInfo && { server: { name: serverInfo.name, version: serverInfo.version } }),
    ...counts,
  };
  return {
    speaks,
    problem: brokenListProblem(
      failed,
      (error) => texts.explainFailure(error, transport === 'stdio' ? 'command' : 'url').message,
    ),
  };
}

const counters: Readonly<Record<ListName, (client: Client) => Promise<number>>> = {
  tools: async (client) => (await client.listTools().all()).length,
  resources: async (client) => (await client.listResources().all()).length,
  prompts: async (client) => (await client.listPrompts().all()).length,
};

function isListError(error: unknown): boolean {
  if (error instanceof HttpError) return ![401, 403, 502, 503, 504].includes(error.status);
  return error instanceof ProtocolError || error instanceof ResultError || error instanceof TimeoutError;
}

function brokenListProblem(
  failed: readonly (readonly [ListName, unknown])[],
  why: (error: unknown) => string,
): Problem | undefined {
  if (failed.length === 0) return undefined;
  const each = failed.map(([name, error]) => `the list of ${name}: ${why(error)}`);
  const advice =
    `The server says that it has ${failed.map(([name]) => name).join(' and ')}. It has to answer, if only with an empty ` +
    'list, or not to say so. Everything else of it can be used; clients that ask for every list may give up on it.';
  return new Problem('broken-list', `It can't give ${each.join(', nor ')}`, advice);
}

/** Formats the summary as a sentence. */
export function formatSummary({ server, protocolVersion, era, tools, resources, prompts }: ServerSummary): string {
  const name =
    server === undefined ? 'a server without a name' : `${toOneLine(server.name)} ${toOneLine(server.version)}`;
  const offers = Object.entries({ tools, resources, prompts }).map(
    ([what, count]) => `${count ?? 'an unknown number of'} ${count === 1 ? what.slice(0, -1) : what}`,
  );
  return `${name} speaks ${protocolVersion} (${era}) and offers ${offers.join(', ')}`;
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}
