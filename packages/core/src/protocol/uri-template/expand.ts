import type { Expression, Part, Variable } from './grammar.ts';

/** The variables of a template; undefined and empty lists count as absent. */
export type TemplateValues = Record<string, string | readonly string[] | undefined>;

/** Writes a URI from a template's parts (RFC 6570, section 3). */
export function expandParts(parts: readonly Part[], values: TemplateValues): string {
  return parts
    .map((part) => (typeof part === 'string' ? encodeReserved(part) : expandExpression(part, values)))
    .join('');
}

/** The first `limit` characters of a value, as the prefix modifier counts them: code points, not code units. */
export function truncate(value: string, limit: number): string {
  return value.length <= limit ? value : Array.from(value).slice(0, limit).join('');
}

function expandExpression({ operator, variables }: Expression, values: TemplateValues): string {
  const { first, separator, named, ifEmpty } = operator;
  const encode = operator.reserved ? encodeReserved : encodeUnreserved;
  const label = (name: string, text: string) => (named ? name + (text === '' ? ifEmpty : `=${text}`) : text);
  const written = variables.flatMap((variable) => {
    const value = valueOf(variable, values);
    if (value === undefined) return [];
    if (typeof value === 'string') return [label(variable.name, encode(truncate(value, variable.limit)))];
    const members = value.map(encode);
    return [
      variable.explode
        ? members.map((member) => label(variable.name, member)).join(separator)
        : label(variable.name, members.join(',')),
    ];
  });
  return written.length === 0 ? '' : first + written.join(separator);
}

function valueOf({ name, limit }: Variable, values: TemplateValues): string | readonly string[] | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined || value.length === 0) return value === '' ? value : undefined;
  if (typeof value !== 'string' && limit !== Infinity) {
    throw new TypeError(`{${name}:${limit}} takes a string, not a list; drop ':${limit}' or join the list`);
  }
  return value;
}

function encodeUnreserved(text: string): string {
  return text.replace(/[^\w.~-]/gu, percent);
}

function encodeReserved(text: string): string {
  const written = /%[\dA-Fa-f]{2}|[^\w.~:/?#[\]@!$&'()*+,;=-]/gu;
  return text.replace(written, (found) => (found.length === 3 ? found : percent(found)));
}

function percent(character: string): string {
  return Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}
