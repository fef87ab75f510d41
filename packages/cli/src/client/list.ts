import { ErrorCode, ProtocolError } from '@ccmcp/core';
import type { Client } from '@ccmcp/core/client';
import type { Context } from './command.ts';
import { Failure } from './failure.ts';
import { plain } from './output.ts';
import { promptSignature, toolSignature } from './signature.ts';
import { didYouMean } from './suggest.ts';

const kinds = ['tools', 'resources', 'templates', 'prompts'] as const;

type Kind = (typeof kinds)[number];

/** Shows what a server offers: tools and prompts as signatures, resources by address. */
export async function run({ client, output }: Context, words: readonly string[]): Promise<void> {
  const wanted = words.length === 0 ? kinds : words.map(kindOf);
  const { tools, resources, templates, prompts } = await offered(client, wanted);
  const { serverInfo: server, protocolVersion, era, instructions } = client;
  const json = {
    server,
    protocolVersion,
    era,
    ...(instructions !== undefined && { instructions }),
    ...(tools && { tools }),
    ...(resources && { resources }),
    ...(templates && { resourceTemplates: templates }),
    ...(prompts && { prompts }),
  };
  output.value(json, () =>
    [
      `${plain(server?.title ?? server?.name ?? 'A server without a name')} ${plain(server?.version ?? '')}`.trimEnd() +
        `, protocol ${protocolVersion} (${era})`,
      ...section('Tools', tools, (tool) => [toolSignature(tool), tool.description]),
      ...section('Resources', resources, ({ uri, name, description }) => [uri, description ?? different(name, uri)]),
      ...section('Resource templates', templates, ({ uriTemplate, name, description }) => [
        uriTemplate,
        description ?? different(name, uriTemplate),
      ]),
      ...section('Prompts', prompts, (prompt) => [promptSignature(prompt), prompt.description]),
    ].join('\n'),
  );
}

function kindOf(word: string): Kind {
  const kind = kinds.find((candidate) => candidate === word);
  if (kind !== undefined) return kind;
  throw new Failure('usage', `There is no list of ${word}.${didYouMean(word, kinds)}`, {
    hint: `There are ${kinds.join(', ')}.`,
  });
}

/** The lists that are wanted and that the server has. Those it does not have are not asked for. */
async function offered(client: Client, wanted: readonly Kind[]) {
  const { capabilities } = client;
  const has = (kind: Kind): boolean => wanted.includes(kind);
  return {
    tools: has('tools') && capabilities.tools ? await client.listTools().all() : undefined,
    resources: has('resources') && capabilities.resources ? await client.listResources().all() : undefined,
    templates: has('templates') && capabilities.resources ? await templatesOf(client) : undefined,
    prompts: has('prompts') && capabilities.prompts ? await client.listPrompts().all() : undefined,
  };
}

/** Servers that have resources need not have templates, and some then know nothing of the list. */
async function templatesOf(client: Client) {
  try {
    return await client.listResourceTemplates().all();
  } catch (error) {
    if (error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound) return [];
    throw error;
  }
}

function section<T>(
  title: string,
  rows: readonly T[] | undefined,
  show: (row: T) => [string, string | undefined],
): string[] {
  if (rows === undefined || rows.length === 0) return [];
  const lines = rows.flatMap((row) => {
    const [head, about] = show(row);
    return [`  ${plain(head)}`, ...(about ? [`      ${firstLine(about)}`] : [])];
  });
  return ['', title, ...lines];
}

function firstLine(text: string): string {
  const [line = ''] = plain(text).trim().split('\n', 1);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function different(name: string, address: string): string | undefined {
  return name === address ? undefined : name;
}
