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
import type { Peer } from '../peer.ts';
import type { Registered } from './registry.ts';
import type { AccessRule } from './access-rule.ts';
import { validateTimeLimit } from '../settings.ts';
import type { ToolAddition } from './tool-addition.ts';

const toolName = /^[A-Za-z0-9_.-]+$/;
/** Maximum characters of a tool's name. */
const longestName = 128;

const noArguments: WireSchema = { type: 'object', additionalProperties: false };

/** A registered tool with its precomputed listing and validators. */
export class ToolEntry implements Registered {
  readonly key: string;
  readonly position: number;
  readonly tool: Tool;
  readonly input: CompiledSchema | undefined;
  readonly output: CompiledSchema | undefined;
  readonly timeoutMs: number | undefined;
  /** Runs before the arguments of a call are checked. */
  readonly before: BeforeTool | undefined;
  /** The access requirement. */
  readonly access: AccessRule | undefined;
  /** Wrappers of extensions around its handler. */
  readonly around: AroundTool | undefined;
  /** Additions of extensions. */
  readonly addition: ToolAddition | undefined;
  /** True until its schemas are converted. */
  pending: boolean;
  /** The cached value of `listing`. */
  row: ToolListing | undefined;
  /** The arguments that clients mirror in headers; undefined until its schemas are converted. */
  mirrored: readonly MirroredArgument[] | undefined;

  constructor(tool: Tool, position: number, { access, addition, before, around }: ToolSetting) {
    const { name, input, output, timeoutMs } = tool;
    this.key = name;
    this.position = position;
    this.tool = tool;
    this.input = tool.checked === false ? uncheckedSchema(input, 'input') : compile(name, input, 'input');
    this.output = tool.checked === false ? undefined : compile(name, output, 'output');
    this.timeoutMs = timeoutMs === undefined ? undefined : validateTimeLimit(`Tool "${name}": timeoutMs`, timeoutMs);
    this.before = before;
    this.access = access;
    this.around = around;
    this.addition = addition;
    this.pending = this.input?.isConverted === false || this.output?.isConverted === false;
    this.row = this.pending ? undefined : listingOf(this);
    this.mirrored = this.pending ? undefined : mirroredOf(this);
  }

  /** The `_meta` of its list entry. */
  get meta(): Meta | undefined {
    return this.addition?._meta ?? this.tool._meta;
  }

  /** The id of an extension; callers without it don't see the tool in lists. */
  get listedFor(): string | undefined {
    return this.addition?.listedFor ?? this.tool.listedFor;
  }

  /** The tool's list entry. Throws a `ProtocolError` if a schema library can't convert a schema. */
  get listing(): ToolListing {
    return this.row ?? this.read();
  }

  /** Computes its listing ahead. If that fails, reading `listing` throws. */
  write(): void {
    try {
      this.read();
    } catch {
      // Reported when the listing is read.
    }
  }

  /** Converts the schemas. Throws like `listing`. */
  read(): ToolListing {
    this.pending = false;
    this.row = readable(this, listingOf);
    return this.row;
  }

  /** The arguments that clients mirror in headers. Converts the schemas if necessary. */
  readMirrored(): readonly MirroredArgument[] {
    this.mirrored = readable(this, mirroredOf);
    return this.mirrored;
  }
}

/**
 * Runs before the arguments of a call are validated. Throws or rejects if the caller may not call the tool now. Returns
 * a promise only if it must wait.
 */
export type BeforeTool = (peer: Peer) => void | Promise<void>;

/** Additions of features and extensions to a tool. */
export interface ToolSetting {
  readonly access?: AccessRule | undefined;
  readonly before?: BeforeTool | undefined;
  readonly addition?: ToolAddition | undefined;
  readonly around?: AroundTool | undefined;
}

/** Validates the definition of a tool. Throws a `TypeError` with advice if it is invalid. */
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
    throw new TypeError(describeUnusable(name, error), { cause: error });
  }
}

/** A schema that accepts everything. One that can't be compiled is still listed. */
function uncheckedSchema(schema: Schema = noArguments, side: Side): CompiledSchema {
  let mirrored: readonly MirroredArgument[] = [];
  try {
    ({ mirrored } = compileSchema(schema, { side }));
  } catch {
    // The validator of the arguments handles it.
  }
  return {
    json: schema as WireSchema,
    isConverted: true,
    mirrored,
    check: (value) => ({ ok: true, value }),
    prepare: () => undefined,
    needsValidator: false,
    isFast: true,
    compileAhead() {},
  };
}

/** Schema libraries report errors only when the schema is first converted. */
function readable<T>(entry: ToolEntry, read: (entry: ToolEntry) => T): T {
  try {
    return read(entry);
  } catch (error) {
    throw new ProtocolError(ErrorCode.InternalError, describeUnusable(entry.key, error), undefined, { cause: error });
  }
}

function describeUnusable(name: string, error: unknown): string {
  return `Tool "${name}": ${(error as Error).message}`;
}

function mirroredOf({ input }: ToolEntry): readonly MirroredArgument[] {
  return input?.mirrored ?? [];
}

function listingOf({ tool, meta: _meta, input, output }: ToolEntry): ToolListing {
  const { name, title, description, icons, annotations } = tool;
  const inputSchema = input === undefined ? noArguments : (input.json as WireSchema);
  const isUsual = title === undefined && icons === undefined && _meta === undefined;
  // Common members are in the literal: an object that grows takes twice the memory.
  if (isUsual && description !== undefined && tool.output === undefined && annotations === undefined)
    return { name, description, inputSchema };
  const listing = describe<Partial<ToolListing>>({ name }, tool);
  if (_meta !== undefined) listing._meta = _meta;
  listing.inputSchema = inputSchema;
  if (output !== undefined) listing.outputSchema = output.json as WireSchema;
  else if (tool.checked === false && tool.output !== undefined) listing.outputSchema = tool.output as WireSchema;
  if (annotations !== undefined) listing.annotations = annotations;
  return listing as ToolListing;
}
