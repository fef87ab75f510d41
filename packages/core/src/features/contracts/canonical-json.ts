/**
 * Serializes a JSON value with the members of each object in the order of their UTF-16 code units and without white
 * space, as RFC 8785 does: equal values have equal texts.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = sortedMembers(value).map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** The same, indented by two blanks, for people. */
export function canonicalText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => canonicalText(item, inner))
    : sortedMembers(value).map(([name, member]) => `${JSON.stringify(name)}: ${canonicalText(member, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return members.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** Sorted here: an object has names that are whole numbers first. */
function sortedMembers(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
