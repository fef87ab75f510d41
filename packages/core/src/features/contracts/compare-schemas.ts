import { stableStringify } from '../../jsonrpc/stable-stringify.ts';
import type { JsonSchema } from '../../schema/infer.ts';

/** How a change of a schema affects those who rely on it. */
export type Compatibility = 'breaking' | 'compatible' | 'wording' | 'undecided';

/** A difference between two versions of a schema. */
export interface SchemaChange {
  readonly kind: Compatibility;
  /** JSON Pointer into the newer schema (the older one if the place is gone), such as `/properties/limit`. */
  readonly path: string;
  /** What changed, one readable sentence without trailing dot: `"limit" is required now`. */
  readonly text: string;
}

/**
 * Compares two versions of a JSON Schema. 'input': whatever was valid must stay valid (contravariant); 'output':
 * whatever is valid now must have been valid (covariant).
 */
export function compareSchemas(
  before: JsonSchema | undefined,
  after: JsonSchema | undefined,
  direction: 'input' | 'output',
): readonly SchemaChange[] {
  if (before === after || stableStringify(before) === stableStringify(after)) return [];
  if (before === undefined) {
    return [{ kind: direction === 'input' ? 'breaking' : 'compatible', path: '', text: 'the schema is new' }];
  }
  if (after === undefined) {
    return [{ kind: direction === 'input' ? 'compatible' : 'breaking', path: '', text: 'the schema is gone' }];
  }
  return [{ kind: 'undecided', path: '', text: 'the schema changed' }];
}
