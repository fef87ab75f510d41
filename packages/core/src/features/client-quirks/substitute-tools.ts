import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import {
  type ContentBlock,
  embeddedResource,
  image,
  type ResourceContents,
  text,
  type TextContent,
} from '../../protocol/content.ts';
import type { ToolListing } from '../../protocol/listing.ts';
import type { CallToolResult, GetPromptResult, ReadResourceResult } from '../../protocol/results.ts';
import type { Next, Operation } from '../../server/call/operation.ts';
import { readRows, toPage } from '../read-list.ts';
import type { QuirkFix } from './client-quirks.ts';

/** A tool that stands for resources or prompts, for a client that reads none. It only reads. */
export interface SubstituteTool {
  readonly listing: ToolListing;
  readonly stands: 'resources' | 'prompts';
  serve(args: Readonly<Record<string, unknown>>, next: Next): Promise<CallToolResult>;
}

const cursor = { type: 'string', description: 'The nextCursor of the page before, if there was one' };

const substitutes: readonly SubstituteTool[] = [
  {
    stands: 'resources',
    listing: {
      name: 'list_resources',
      title: 'List resources',
      description:
        'Lists the resources of this server, by URI, and templates of the URIs of further ones. Read one with read_resource.',
      inputSchema: { type: 'object', properties: { cursor } },
    },
    async serve(args, next) {
      const { resources, nextCursor } = toPage(await next(cursorIn(args), 'resources/list'));
      const list = { resources, ...(nextCursor !== undefined && { nextCursor }) };
      if (args.cursor !== undefined) return jsonResult(list);
      const first = await next({}, 'resources/templates/list');
      const resourceTemplates = await readRows(next, 'resources/templates/list', first);
      return jsonResult({ ...list, ...(resourceTemplates.length > 0 && { resourceTemplates }) });
    },
  },
  {
    stands: 'resources',
    listing: {
      name: 'read_resource',
      title: 'Read a resource',
      description: 'Reads a resource of this server by its URI, as list_resources or a link in a result gives it.',
      inputSchema: {
        type: 'object',
        properties: { uri: { type: 'string', description: 'The URI of the resource' } },
        required: ['uri'],
      },
    },
    async serve({ uri }, next) {
      if (typeof uri !== 'string') return toError('"uri" must be a string: the URI of the resource to read');
      const { contents } = toPage(await next({ uri }, 'resources/read')) as unknown as ReadResourceResult;
      return { content: contents.map((each) => toBlock(each, contents.length)), isError: false };
    },
  },
  {
    stands: 'prompts',
    listing: {
      name: 'list_prompts',
      title: 'List prompts',
      description:
        'Lists the prompts of this server, which are instructions for certain tasks, with their arguments. Get one with get_prompt.',
      inputSchema: { type: 'object', properties: { cursor } },
    },
    async serve(args, next) {
      const { prompts, nextCursor } = toPage(await next(cursorIn(args), 'prompts/list'));
      return jsonResult({ prompts, ...(nextCursor !== undefined && { nextCursor }) });
    },
  },
  {
    stands: 'prompts',
    listing: {
      name: 'get_prompt',
      title: 'Get a prompt',
      description: 'Gets a prompt of this server: the instructions to follow, for the arguments that are given.',
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name of the prompt, as list_prompts gives it' },
          arguments: { type: 'object', additionalProperties: { type: 'string' }, description: 'Its arguments' },
        },
        required: ['name'],
      },
    },
    async serve({ name, arguments: given = {} }, next) {
      if (typeof name !== 'string') return toError('"name" must be a string: the name of the prompt to get');
      const outcome = await next({ name, arguments: given }, 'prompts/get');
      const { messages } = toPage(outcome) as unknown as GetPromptResult;
      const isDialogue = messages.some(({ role }) => role !== 'user');
      const content = messages.flatMap(({ role, content: block }): ContentBlock[] =>
        isDialogue ? [speaker(role), block] : [block],
      );
      return { content, isError: false };
    },
  },
];

/** The tools that stand for what a client does not read, where the server has it, by names that no tool of the server has. */
export function substitutesFor(
  { catalog, capabilities }: Pick<Operation['host'], 'catalog' | 'capabilities'>,
  quirks: readonly QuirkFix[],
): ReadonlyMap<string, SubstituteTool> {
  const missing = new Set(quirks.flatMap((quirk) => quirk.missing ?? []));
  const found = new Map<string, SubstituteTool>();
  if (missing.size === 0) return found;
  for (const substitute of substitutes) {
    if (!missing.has(substitute.stands) || !capabilities.offers(substitute.stands)) continue;
    const { name } = substitute.listing;
    let free = name;
    for (let number = 2; catalog.tools.entries.has(free); number++) free = `${name}_${number}`;
    found.set(free, substitute);
  }
  return found;
}

/** Calls a tool that stands for resources or prompts. What the model can set right is a result with `isError`. */
export async function callSubstitute(tool: SubstituteTool, params: Params, next: Next): Promise<CallToolResult> {
  const { arguments: args = {} } = params;
  if (!isObject(args)) return toError('"arguments" must be an object');
  try {
    return await tool.serve(args, next);
  } catch (error) {
    if (error instanceof ProtocolError && isCorrectable(error)) return toError(error.message);
    throw error;
  }
}

function isCorrectable({ code }: ProtocolError): boolean {
  return code === ErrorCode.InvalidParams || code === ErrorCode.ResourceNotFound;
}

function cursorIn({ cursor: given }: Readonly<Record<string, unknown>>): Params {
  return given === undefined ? {} : { cursor: given };
}

function toBlock(contents: ResourceContents, count: number): ContentBlock {
  if ('blob' in contents && contents.mimeType?.startsWith('image/') === true)
    return image(contents.blob, contents.mimeType);
  // Every client shows text; of several, the URI tells which is which.
  return 'text' in contents && count === 1 ? text(contents.text) : embeddedResource(contents);
}

function speaker(role: string): TextContent {
  return text(role === 'user' ? 'User:' : 'Assistant:');
}

function jsonResult(value: object): CallToolResult {
  return { content: [text(JSON.stringify(value))], isError: false };
}

function toError(message: string): CallToolResult {
  return { content: [text(message)], isError: true };
}
