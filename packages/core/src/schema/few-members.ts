import { limits } from '../limits.ts';
import type { JsonSchema } from './infer.ts';
import { isSchemaObject } from './keywords.ts';

/** So many members of one object are explained, beside those that the schema names. */
export const mostMembers: number = limits.schema.explainedMembers.value;

/**
 * A value without most members of its huge objects, to be explained: the validator looks at every member once for each form
 * of a union, and says the same of all. Those that the schema names stay. The value itself where no object is huge.
 */
export function withFewMembers(value: unknown, schema: JsonSchema): unknown {
  let names: ReadonlySet<string> | undefined;
  const isKept = (name: string, index: number): boolean => {
    if (index < mostMembers) return true;
    names ??= namesIn(schema);
    return names.has(name);
  };
  const shorten = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) {
      const items = part.map(shorten);
      return items.some((item, index) => item !== part[index]) ? items : part;
    }
    const all = Object.entries(part);
    const kept = all.length > mostMembers ? all.filter(([name], index) => isKept(name, index)) : all;
    // Without a prototype, so that no name is special.
    const copy: Record<string, unknown> = Object.create(null);
    let isChanged = kept.length < all.length;
    for (const [name, member] of kept) {
      copy[name] = shorten(member);
      isChanged ||= copy[name] !== member;
    }
    return isChanged ? copy : part;
  };
  return shorten(value);
}

/** Every name that stands anywhere in a schema, as a member or as a text: more than are needed, and none is missed. */
function namesIn(schema: unknown, names: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof schema === 'string') names.add(schema);
  else if (Array.isArray(schema)) for (const item of schema) namesIn(item, names);
  else if (isSchemaObject(schema)) {
    for (const [name, part] of Object.entries(schema)) {
      names.add(name);
      namesIn(part, names);
    }
  }
  return names;
}
