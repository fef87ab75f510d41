/** Sets of types of JSON values, as bits; `number` is made of integers and fractions. */
export const types = { null: 1, boolean: 2, integer: 4, fraction: 8, string: 16, array: 32, object: 64 } as const;

/** Integers and fractions. */
export const numbers: number = types.integer | types.fraction;

/** All types. */
export const allTypes = 127;

/** The set that a `type` keyword names. */
export function typesNamed(names: string | readonly string[]): number {
  let set = 0;
  for (const name of typeof names === 'string' ? [names] : names)
    set |= name === 'number' ? numbers : types[name as keyof typeof types];
  return set;
}

/** The type of a value. */
export function typeOf(value: unknown): number {
  if (value === null) return types.null;
  if (Array.isArray(value)) return types.array;
  if (typeof value === 'number') return Number.isInteger(value) ? types.integer : types.fraction;
  return types[typeof value as 'boolean' | 'string' | 'object'];
}

/** The sets of the single types in a set; numbers stay together. */
export function singleTypes(set: number): number[] {
  return [types.null, types.boolean, numbers, types.string, types.array, types.object]
    .map((one) => one & set)
    .filter((one) => one !== 0);
}

/** The names of the types in a set. */
export function typeNamesOf(set: number): string[] {
  return singleTypes(set).map((one) => {
    if (one === types.integer) return 'integer';
    const found = Object.entries(types).find(([, bit]) => bit === one);
    return found === undefined || one === types.fraction ? 'number' : found[0];
  });
}
