import { createHash } from 'node:crypto';
import { isObject } from '../../jsonrpc/message.ts';
import { stableStringify } from '../../jsonrpc/stable-stringify.ts';
import { MetaKey } from '../../protocol/meta.ts';
import { maskMessage } from './secrets.ts';

/** Keys by which requests are compared. */
export interface MatchKeys {
  /** Method, params and metadata. */
  readonly exact: string;
  /** Method and params. */
  readonly loose: string;
  /** The revision that the request itself names. */
  readonly revision: string | undefined;
}

/** Metadata that differs each time. */
const variableMeta: ReadonlySet<string> = new Set(['progressToken', 'traceparent', 'tracestate', 'baggage']);

/** The keys of a request. Secrets count as equal, since recordings mask them. */
export function matchKeys(method: string, params: unknown): MatchKeys {
  const { _meta: meta, ...rest } = isObject(params) ? params : {};
  const stable = isObject(meta)
    ? Object.fromEntries(Object.entries(meta).filter(([name]) => !variableMeta.has(name)))
    : undefined;
  const revision = isObject(meta) ? meta[MetaKey.protocolVersion] : undefined;
  return {
    exact: digest([method, rest, stable]),
    loose: digest([method, rest]),
    revision: typeof revision === 'string' ? revision : undefined,
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(serialize(value)).digest('base64').slice(0, 24);
}

function serialize(value: unknown): string {
  try {
    return stableStringify(maskMessage(value));
  } catch (error) {
    // Nested too deeply: such requests are all the same.
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** How alike two values are: counts members that both have, and how much of their values agrees. */
export function similarity(one: unknown, other: unknown): number {
  const values = flatten(one);
  let score = 0;
  for (const [path, value] of flatten(other)) {
    const same = values.get(path);
    if (same !== undefined) score += 1 + agreement(same, value);
  }
  return score;
}

/** The part of two texts that agrees, from their start. */
function agreement(one: string, other: string): number {
  if (one === other) return 1;
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count / Math.max(one.length, other.length);
}

/** Maximum compared values. */
const maxValues = 100;
/** Maximum compared length of a value. */
const maxLength = 200;

/** The plain values in a value, by their paths. */
function flatten(value: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const left: [path: string, value: unknown][] = [['', value]];
  for (let next = left.pop(); next !== undefined && found.size < maxValues; next = left.pop()) {
    const [path, inner] = next;
    if (typeof inner === 'object' && inner !== null) {
      const members = Object.entries(inner).slice(0, maxValues);
      for (const [name, part] of members) left.push([`${path}/${name.slice(0, maxLength)}`.slice(-maxLength), part]);
    } else found.set(path, String(inner).slice(0, maxLength));
  }
  return found;
}
