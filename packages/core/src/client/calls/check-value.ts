import type { JsonSchema } from '../../schema/infer.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { Problem } from '../../schema/problems.ts';
import { loadedValidator, loadValidator } from '../../schema/validator.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { limits } from '../../limits.ts';

const mostMs = limits.client.firstCheckMs.value;

/** The problems of a value, by JSON pointer, or why its schema can't be used. */
export type CheckedValue = { readonly problems: readonly Problem[] } | { readonly unusable: string };

/**
 * Validates a value against a JSON Schema of a server, with the messages that servers of this library send for invalid
 * arguments. The schema may be hostile, so the check has a timeout.
 */
export async function checkValue(schema: unknown, value: unknown): Promise<CheckedValue> {
  if (!isObject(schema)) return { unusable: 'The schema is no object' };
  if (loadedValidator() === undefined) await loadValidator();
  const { loadVm, CheckTimeout, runWithTimeout } = await import('../../schema/time-limit.ts');
  await loadVm();
  try {
    const checked = await runWithTimeout(mostMs, () =>
      compileSchema(schema as JsonSchema, { side: 'output' }).check(value),
    );
    return { problems: checked.ok ? [] : checked.problems };
  } catch (error) {
    if (error instanceof CheckTimeout) return { unusable: 'The schema takes too long to check with' };
    return { unusable: (error as Error).message.replace('The output schema', 'The schema') };
  }
}
