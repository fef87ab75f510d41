import { type Client, textTokens, tokenEstimate, toolTokens } from '@ccmcp/core/client';
import type { Context } from '../context.ts';
import { Failure } from '../../command/failure.ts';
import { styleListLine } from '../../terminal/wrap.ts';
import { toOneLine } from '../../terminal/print.ts';
import { type ListName, listNames, type ServerLists, fetchLists, listError } from '../describe/server-lists.ts';
import { show } from './show.ts';
import { promptSignature, toolSignature } from '../describe/signature.ts';

const titles = { tools: 'Tools', resources: 'Resources', templates: 'Resource templates', prompts: 'Prompts' } as const;

const maxInstructions = 4000;

/** Lists what a server offers: tools and prompts as signatures, resources by URI. With a name, shows one tool. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  const { client, output, options, terminal } = context;
  const wanted = words.length === 0 ? listNames : listNames.filter((name) => words.includes(name));
  const [name, ...more] = words.filter((word) => !listNames.some((each) => each === word));
  if (name !== undefined) {
    if (more.length > 0 || wanted.length > 0) throw new Failure('usage', 'One tool is shown at a time');
    return show(context, name, { orList: true });
  }
  const found = await fetchLists(client, wanted);
  const [failure] = Object.values(found.failed);
  if (failure !== undefined && listNames.every((each) => found[each] === undefined)) throw failure;
  const cost = costOf(client, found);
  const text = (): string =>
    [
      ...heading(client),
      ...section('tools', found, (tool) => [
        `${toolSignature(tool)}${options.tokens ? `  ~${toolTokens(tool)} tokens` : ''}`,
        tool.description,
      ]),
      ...section('resources', found, ({ uri, name: given, description }) => [
        uri,
        description ?? unlessSame(given, uri),
      ]),
      ...section('templates', found, ({ uriTemplate, name: given, description }) => [
        uriTemplate,
        description ?? unlessSame(given, uriTemplate),
      ]),
      ...section('prompts', found, (prompt) => [promptSignature(prompt), prompt.description]),
      ...(cost === undefined ? [] : ['', costText(cost)]),
    ].join('\n');
  const json = toJson(client, found, options.tokens ? cost : withoutTools(cost));
  await output.long(json, text, { look: styleListLine, terminal });
}

function toJson(
  { serverInfo, protocolVersion, era, instructions }: Client,
  found: ServerLists,
  cost: Cost | undefined,
) {
  const { tools, resources, templates, prompts, failed } = found;
  const failures = Object.entries(failed).map(([name, error]) => [name, listError(error)]);
  return {
    server: serverInfo,
    protocolVersion,
    era,
    ...(instructions !== undefined && { instructions }),
    ...(tools && { tools }),
    ...(resources && { resources }),
    ...(templates && { resourceTemplates: templates }),
    ...(prompts && { prompts }),
    ...(failures.length > 0 && { failed: Object.fromEntries(failures) as Partial<Record<ListName, string>> }),
    ...(cost && { tokens: cost }),
  };
}

function heading({ serverInfo: server, protocolVersion, era, instructions = '' }: Client): string[] {
  const name = toOneLine(server?.title ?? server?.name ?? 'A server without a name');
  const first = `${`${name} ${toOneLine(server?.version ?? '')}`.trimEnd()}, protocol ${protocolVersion} (${era})`;
  if (instructions.trim() === '') return [first];
  const shown = instructions.trim().slice(0, maxInstructions);
  const rest = instructions.trim().length - shown.length;
  const cut = rest > 0 ? [`  … and ${rest} characters more, which --json shows`] : [];
  return [first, '', 'Instructions', ...shown.split('\n').map((line) => `  ${line}`.trimEnd()), ...cut];
}

/** The tokens that a server costs a model in each conversation. */
interface Cost {
  total: number;
  instructions: number;
  tools?: Record<string, number>;
  estimate: string;
}

function costOf({ instructions = '' }: Client, { tools }: ServerLists): Cost | undefined {
  if (tools === undefined) return undefined;
  const own = textTokens(instructions);
  const each = tools.map((tool) => [tool.name, toolTokens(tool)] as const);
  const total = each.reduce((sum, [, tokens]) => sum + tokens, own);
  return { total, instructions: own, tools: Object.fromEntries(each), estimate: tokenEstimate };
}

function withoutTools(cost: Cost | undefined): Cost | undefined {
  if (cost === undefined) return undefined;
  const { tools: _, ...rest } = cost;
  return rest;
}

function costText({ total, instructions, tools = {} }: Cost): string {
  const count = Object.keys(tools).length;
  const what = `${count} ${count === 1 ? 'tool' : 'tools'}${instructions > 0 ? ' and the instructions' : ''}`;
  return `Costs a model about ${total} tokens for ${what} (${tokenEstimate}).`;
}

type Row<Name extends ListName> = NonNullable<ServerLists[Name]>[number];

function section<Name extends ListName>(
  name: Name,
  found: ServerLists,
  show: (row: Row<Name>) => [string, string | undefined],
): string[] {
  const failure = found.failed[name];
  if (failure !== undefined) return ['', titles[name], `  (not listed) ${toOneLine(listError(failure))}`];
  const rows = (found[name] ?? []) as Row<Name>[];
  if (rows.length === 0) return [];
  const lines = rows.flatMap((row) => {
    const [head, about] = show(row);
    return [`  ${toOneLine(head)}`, ...(about ? [`      ${firstLine(about)}`] : [])];
  });
  return ['', titles[name], ...lines];
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function unlessSame(name: string, address: string): string | undefined {
  return name === address ? undefined : name;
}
