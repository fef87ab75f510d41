import { isEqualJson } from '../../jsonrpc/equal-json.ts';
import { escapeUnseen } from '../../jsonrpc/text.ts';
import type { JsonSchema } from '../../schema/infer.ts';
import { isSchemaObject } from '../../schema/keywords.ts';
import { type Node, noteKeywords, readSchema } from '../../schema/subsumption/schema-node.ts';
import { describeChanges } from './describe-changes.ts';
import type { SchemaChange } from './schema-change.ts';

/**
 * Compares two versions of a JSON Schema. 'input': whatever was valid must stay valid (contravariant); 'output':
 * whatever is valid now must have been valid (covariant). Members that the older schema of arguments doesn't name, of
 * objects that it doesn't say to be open, count as not used.
 */
export function compareSchemas(
  before: JsonSchema | undefined,
  after: JsonSchema | undefined,
  direction: 'input' | 'output',
): readonly SchemaChange[] {
  try {
    if (isEqualJson(before, after)) return [];
    const versions = { before: read(before, 'older'), after: read(after, 'newer') };
    const changes = describeChanges(versions, direction);
    if (before === undefined || after === undefined) return [replacement(changes, after === undefined)];
    if (changes.length === 0 && !isEqualJson(notesIn(before), notesIn(after)))
      return [{ kind: 'wording', path: '', text: 'the wording of a part changed' }];
    return changes;
  } catch (error) {
    return [{ kind: 'undecided', path: '', text: `the schema changed, and ${reasonOf(error)}` }];
  }
}

/** The descriptions and other notes anywhere in a schema, in order. */
function notesIn(schema: unknown): string[] {
  const notes = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (noteKeywords.has(name) && typeof part !== 'object') notes.add(`${name} ${String(part)}`);
      visit(part);
    }
  };
  visit(schema);
  return [...notes].sort();
}

/** One change for a schema that is new or gone. */
function replacement(changes: readonly SchemaChange[], isGone: boolean): SchemaChange {
  const kinds = new Set(changes.map(({ kind }) => kind));
  const kind = (['breaking', 'undecided'] as const).find((each) => kinds.has(each)) ?? 'compatible';
  return { kind, path: '', text: isGone ? 'the schema is gone' : 'the schema is new' };
}

function read(schema: JsonSchema | undefined, version: 'older' | 'newer'): Node {
  try {
    if (schema === undefined || typeof schema === 'boolean') return schema ?? true;
    if (!isSchemaObject(schema)) throw new TypeError('it is neither an object nor true or false');
    return readSchema(schema);
  } catch (error) {
    throw new TypeError(`the ${version} one can't be compared: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return escapeUnseen(error.message);
  if (error instanceof RangeError) return 'is nested too deeply to be compared';
  throw error;
}
