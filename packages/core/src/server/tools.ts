import type { ToolListing, WireSchema } from '../protocol/listing.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile.ts';
import type { Tool } from './define.ts';
import { described } from './listing.ts';
import type { Registered } from './registry.ts';

/** A registered tool with what is worked out of it once. */
export interface ToolEntry extends Registered {
  readonly tool: Tool;
  readonly listing: ToolListing;
  readonly input: CompiledSchema | undefined;
  readonly output: CompiledSchema | undefined;
}

const noArguments: WireSchema = { type: 'object', additionalProperties: false };

/** Checks a tool's definition and works out what its calls and listings need. */
export function prepareTool(tool: Tool): Omit<ToolEntry, 'position'> {
  const { name, annotations } = tool;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
    throw new TypeError(`Tool name ${JSON.stringify(name)}: use 1 to 128 of the characters A-Z a-z 0-9 _ . -`);
  }
  if (typeof tool.call !== 'function') throw new TypeError(`Tool "${name}" has no handler: give it a "call" function`);
  const input = tool.input && within(name, 'input', () => compileSchema(tool.input as never, { side: 'input' }));
  const output = tool.output && within(name, 'output', () => compileSchema(tool.output as never, { side: 'output' }));
  const listing: ToolListing = {
    name,
    ...described(tool),
    inputSchema: (input?.json as WireSchema | undefined) ?? noArguments,
    ...(output !== undefined && { outputSchema: output.json as WireSchema }),
    ...(annotations !== undefined && { annotations }),
  };
  return { key: name, tool, listing, input, output };
}

function within<T>(name: string, part: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw new TypeError(`Tool "${name}", ${part}: ${(error as Error).message}`, { cause: error });
  }
}
