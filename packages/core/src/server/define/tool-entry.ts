import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { ToolListing, WireSchema } from '../../protocol/listing.ts';
import type { Meta } from '../../protocol/meta.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import type { Schema } from '../../schema/infer.ts';
import type { MirroredArgument } from '../../schema/mirrored-arguments.ts';
import type { Side } from '../../schema/standard.ts';
import type { Tool } from './define.ts';
import type { AroundTool } from '../extension.ts';
import { assertMembers, toolKind } from './migration-hints.ts';
import { describe } from './listing-fields.ts';
import { rateCounter } from '../quotas/rate-counter.ts';
import type { RateCounter } from '../quotas/rate-limit.ts';
import type { Registered } from './registry.ts';
import { type ScopeRule, scopeRule } from '../scopes/scope-rule.ts';
import { checkedTimeLimit } from '../call/timeout.ts';
import type { ToolAddition } from './tool-addition.ts';
import { limits } from '../../limits.ts';

const toolName = /^[A-Za-z0-9_.-]+$/;
const longestName = limits.server.toolName.value;

const noArguments: WireSchema = { type: 'object', additionalProperties: false };

/** A registered tool with what is worked out of it once. */
export class ToolEntry implements Registered {
  readonly key: string;
  readonly position: number;
  readonly tool: Tool;
  readonly input: CompiledSchema | undefined;
  readonly output: CompiledSchema | undefined;
  readonly timeoutMs: number | undefined;
  /** Counts the calls of each caller, where there is a limit to their rate. */
  readonly rates: RateCounter | undefined;
  /** What it demands of its callers. */
  readonly scopes: ScopeRule | undefined;
  /** What extensions put around its handler. */
  readonly around: AroundTool | undefined;
  /** What an extension adds to it. */
  readonly addition: ToolAddition | undefined;
  /** True until a library has been asked for its schemas. */
  pending: boolean;
  #listing: ToolListing | undefined;

  constructor(tool: Tool, position: number, { server, addition, around }: ToolSetting) {
    const { name, input, output, timeoutMs, rateLimit } = tool;
    this.key = name;
    this.position = position;
    this.tool = tool;
    this.input = compile(name, input, 'input');
    this.output = compile(name, output, 'output');
    this.timeoutMs = timeoutMs === undefined ? undefined : checkedTimeLimit(`Tool "${name}": timeoutMs`, timeoutMs);
    this.rates = rateCounter(rateLimit, { name: 'tool', key: `${server}/${name}` });
    this.scopes = scopeRule(`Tool "${name}"`, tool);
    this.around = around;
    this.addition = addition;
    this.pending = this.input?.written === false || this.output?.written === false;
    if (!this.pending) this.#listing = listingOf(this);
  }

  /** What is said of it beside its definition. */
  get meta(): Meta | undefined {
    return this.addition?._meta ?? this.tool._meta;
  }

  /** The extension without which a caller does not see it in lists. */
  get listedFor(): string | undefined {
    return this.addition?.listedFor ?? this.tool.listedFor;
  }

  /** The tool's row in a list. Throws a `ProtocolError` if a schema library can't say what a schema is. */
  get listing(): ToolListing {
    return this.#listing ?? this.#read();
  }

  /** Has its row written ahead. Where that fails, whoever reads `listing` is told. */
  write(): void {
    try {
      this.#read();
    } catch {
      // Said when the row is read.
    }
  }

  /** The tool itself, once it is certain that it can be listed. Throws like `listing`. */
  get listable(): this {
    if (this.#listing === undefined) this.#read();
    return this;
  }

  /** The arguments that clients are to repeat in headers. Throws like `listing`. */
  get mirrored(): readonly MirroredArgument[] {
    return readable(this, mirroredOf);
  }

  #read(): ToolListing {
    this.pending = false;
    this.#listing = readable(this, listingOf);
    return this.#listing;
  }
}

/** Where a tool is offered, and what extensions there add to it and put around it. */
export interface ToolSetting {
  /** The name of the server. */
  readonly server: string;
  readonly addition?: ToolAddition | undefined;
  readonly around?: AroundTool | undefined;
}

/** Checks the definition of a tool of a server. Throws a `TypeError` that says what to do where it can't be used. */
export function prepareTool(tool: Tool, position: number, setting: (tool: Tool) => ToolSetting): ToolEntry {
  const { name } = tool;
  if (typeof name !== 'string' || name.length > longestName || !toolName.test(name)) {
    throw new TypeError(
      `Tool name ${JSON.stringify(name)}: use 1 to ${longestName} of the characters A-Z a-z 0-9 _ . -`,
    );
  }
  assertMembers(toolKind, name, tool);
  return new ToolEntry(tool, position, setting(tool));
}

function compile(name: string, schema: Schema | undefined, side: Side): CompiledSchema | undefined {
  if (schema === undefined) return undefined;
  try {
    return compileSchema(schema, { side });
  } catch (error) {
    throw new TypeError(unusable(name, error), { cause: error });
  }
}

/** With a schema library, what is wrong only comes out when its schema is first wanted. */
function readable<T>(entry: ToolEntry, read: (entry: ToolEntry) => T): T {
  try {
    return read(entry);
  } catch (error) {
    throw new ProtocolError(ErrorCode.InternalError, unusable(entry.key, error), undefined, { cause: error });
  }
}

function unusable(name: string, error: unknown): string {
  return `Tool "${name}": ${(error as Error).message}`;
}

function mirroredOf({ input }: ToolEntry): readonly MirroredArgument[] {
  return input?.mirrored ?? [];
}

function listingOf({ tool, meta: _meta, input, output }: ToolEntry): ToolListing {
  const { name, title, description, icons, annotations } = tool;
  const inputSchema = input === undefined ? noArguments : (input.json as WireSchema);
  const isUsual = title === undefined && icons === undefined && _meta === undefined;
  // What most tools have is written at once: an object that grows is twice as large.
  if (isUsual && description !== undefined && output === undefined && annotations === undefined)
    return { name, description, inputSchema };
  const listing = describe<Partial<ToolListing>>({ name }, tool);
  if (_meta !== undefined) listing._meta = _meta;
  listing.inputSchema = inputSchema;
  if (output !== undefined) listing.outputSchema = output.json as WireSchema;
  if (annotations !== undefined) listing.annotations = annotations;
  return listing as ToolListing;
}
