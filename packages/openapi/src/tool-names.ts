import { isObject, textOf } from './json.ts';
import type { Operation } from './operations.ts';

/** The maximum length of a name that all models accept. */
const maxLength = 64;

/**
 * The names of tools, by operation: that of `x-mcp`, or the `operationId`, or else made of method and path. Each depends only on its
 * operation, and on whether another one wants the same: so no name changes because another operation is added, moved or left out.
 */
export function toolNames(operations: readonly Operation[]): ReadonlyMap<Operation, string> {
  const wanted = new Map(operations.map((operation) => [operation, preferredName(operation)]));
  const shared = countOf([...wanted.values()]);
  const named = new Map(
    operations.map((operation) => {
      const name = wanted.get(operation) as string;
      return [operation, (shared.get(name) ?? 0) > 1 ? pathName(operation) : name];
    }),
  );
  const again = countOf([...named.values()]);
  return new Map(
    operations.map((operation) => {
      const name = named.get(operation) as string;
      return [operation, (again.get(name) ?? 0) > 1 ? withDigest(name, operation) : name];
    }),
  );
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function preferredName(operation: Operation): string {
  const { mark, value } = operation;
  const given = (isObject(mark) ? textOf(mark.name) : undefined) ?? textOf(value.operationId);
  const name = given === undefined ? '' : toName(given);
  return name === '' ? pathName(operation) : shorten(name, operation);
}

/** `GET /pets/{id}/toys` is `get_pets_by_id_toys`. */
function pathName(operation: Operation): string {
  const path = operation.path.replace(/\{([^{}]*)\}/g, '_by_$1_');
  return shorten(toName(`${operation.method.toLowerCase()}_${path}`), operation);
}

function toName(text: string): string {
  // Bounded first, since a document may hold texts of any length.
  return text
    .slice(0, 1000)
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
}

function shorten(name: string, operation: Operation): string {
  return name.length > maxLength ? withDigest(name, operation) : name;
}

function withDigest(name: string, { method, path }: Operation): string {
  const digest = `_${digestOf(`${method} ${path}`)}`;
  return name.slice(0, maxLength - digest.length) + digest;
}

/** FNV-1a, in base 36. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
