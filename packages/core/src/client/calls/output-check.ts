import { isObject } from '../../jsonrpc/message.ts';
import { jsonLength } from '../../jsonrpc/size.ts';
import type { ToolListing } from '../../protocol/listing.ts';
import type { CallToolResult, Result } from '../../protocol/results.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import type { JsonSchema } from '../../schema/infer.ts';
import { formatProblems, type Problem } from '../../schema/problems.ts';
import { loadedValidator, loadValidator } from '../../schema/validator.ts';
import { ResultError } from '../errors.ts';
import { maxCachedTools } from '../transport.ts';

/** Timeouts for a check against a remote schema, in milliseconds; the first check also compiles it. */
const firstCheckMs = 3000;
/** The timeout of later checks. */
const laterCheckMs = 1000;

/** The maximum length of all cached output schemas, in characters. */
const maxSchemasLength = 16 * 1024 * 1024;

interface KnownTool {
  tool: ToolListing;
  schema?: CompiledSchema;
  limit: number;
}

/** Validates results of tools against the output schemas that the server listed. */
export class OutputValidator {
  readonly #tools = new Map<string, KnownTool>();
  #length = 0;

  /** Records the tools of a page that have an output schema, up to the limits. The first page restarts the list. */
  recordTools(tools: unknown, cursor: string | undefined): void {
    if (cursor === undefined) {
      this.#tools.clear();
      this.#length = 0;
    }
    if (!Array.isArray(tools)) return;
    for (const tool of tools) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue;
      this.#tools.delete(tool.name);
      if (tool.outputSchema !== undefined) this.#recordTool(tool as unknown as ToolListing);
    }
  }

  #recordTool(tool: ToolListing): void {
    const length = this.#length + tool.name.length + jsonLength(tool.outputSchema);
    if (this.#tools.size >= maxCachedTools || length > maxSchemasLength) return;
    this.#length = length;
    this.#tools.set(tool.name, { tool, limit: firstCheckMs });
  }

  /** Compiles the output schema before the call, so that an unusable schema fails early. */
  compile(name: string): void {
    const known = this.#tools.get(name);
    if (known?.tool.outputSchema === undefined || known.schema !== undefined) return;
    try {
      known.schema = compileSchema(known.tool.outputSchema, { side: 'output' });
    } catch (error) {
      throw new ResultError(`Tool "${name}" can't be called: ${(error as Error).message}`, undefined, { cause: error });
    }
  }

  /** Returns the result of a call if it matches the compiled output schema of its tool. */
  validate(name: string, result: Result): CallToolResult | Promise<CallToolResult> {
    if (!Array.isArray(result.content)) throw new ResultError('The tool returned a result without content', result);
    // Spreading here costs a twentieth of spreading first.
    const called = { content: result.content, ...result, isError: result.isError === true } as CallToolResult;
    if (called.isError) return called;
    const known = this.#tools.get(name);
    if (known?.schema === undefined) return called;
    if (!('structuredContent' in called)) {
      throw new ResultError(`Tool "${name}" has an output schema but gave no structured content`, result);
    }
    return validateStructured(name, known, known.schema, called);
  }
}

async function validateStructured(
  name: string,
  known: KnownTool,
  schema: CompiledSchema,
  result: CallToolResult,
): Promise<CallToolResult> {
  if (schema.needsValidator && loadedValidator === undefined) await loadValidator();
  const { loadVm, CheckTimeout, runWithTimeout } = await import('../../schema/time-limit.ts');
  await loadVm();
  try {
    // The schema is remote: it was not checked for slow patterns.
    const checked = await runWithTimeout(known.limit, () => schema.check(result.structuredContent));
    known.limit = laterCheckMs;
    if (checked.ok) return result;
    throw new ResultError(
      `Tool "${name}" gave a result that does not fit its output schema: ${formatProblems(checked.problems)}`,
      result,
    );
  } catch (error) {
    if (error instanceof ResultError) throw error;
    const why =
      error instanceof CheckTimeout ? 'takes too long to check' : `can't be checked: ${(error as Error).message}`;
    throw new ResultError(`The result of tool "${name}" ${why}`, result, { cause: error });
  }
}

/** The problems of a value, by JSON pointer, or why its schema can't be used. */
export type CheckedValue = { readonly problems: readonly Problem[] } | { readonly unusable: string };

/**
 * Validates a value against a JSON Schema of a server, with the messages that servers of this library send for invalid
 * arguments. The schema may be hostile, so the check has a timeout.
 */
export async function checkValue(schema: unknown, value: unknown): Promise<CheckedValue> {
  if (!isObject(schema)) return { unusable: 'The schema is no object' };
  if (loadedValidator === undefined) await loadValidator();
  const { loadVm, CheckTimeout, runWithTimeout } = await import('../../schema/time-limit.ts');
  await loadVm();
  try {
    const checked = await runWithTimeout(firstCheckMs, () =>
      compileSchema(schema as JsonSchema, { side: 'output' }).check(value),
    );
    return { problems: checked.ok ? [] : checked.problems };
  } catch (error) {
    if (error instanceof CheckTimeout) return { unusable: 'The schema takes too long to check with' };
    return { unusable: (error as Error).message.replace('The output schema', 'The schema') };
  }
}
