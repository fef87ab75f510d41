import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { exceeds } from '../../jsonrpc/size.ts';
import { toHex } from '../../runtime/base64.ts';
import { builtIn } from '../../runtime/kind.ts';
import { sha256ByWebCrypto } from '../../runtime/sha256.ts';
import { canonicalJson } from './canonical-json.ts';
import type { DefinitionKind } from './lock.ts';

/** The maximum nesting depth of a definition that can be locked. */
export const maxDefinitionDepth = 100;

/** Members of `_meta` that hosts act upon. The others are left out of a lock: servers put what varies there. */
const lockedMeta = new Set(['ui', 'ui/resourceUri']);

/** Facts about the data of a resource, not about how to use it. */
const volatileMembers = new Set(['size']);

/** The row of a list as it is locked: without what may vary; undefined if it is malformed or nested too deeply. */
export function toDefinition({ key }: DefinitionKind, row: unknown): { name: string; definition: object } | undefined {
  if (!isObject(row) || exceeds(row, { length: Number.POSITIVE_INFINITY, depth: maxDefinitionDepth })) return undefined;
  const name = row[key];
  if (typeof name !== 'string') return undefined;
  const { _meta, annotations, ...rest } = row;
  const members = Object.entries(rest).filter(([member]) => !(key !== 'name' && volatileMembers.has(member)));
  const definition = {
    ...Object.fromEntries(members),
    ...(annotations !== undefined && { annotations: withoutTime(annotations) }),
    ...withLockedMeta(_meta),
  };
  return { name, definition };
}

/** The digest of a definition, as a lock has it. */
export function digestOf(definition: unknown): Awaitable<string> {
  const text = canonicalJson(definition);
  const node = builtIn('node:crypto');
  if (node !== undefined) return `sha256:${node.createHash('sha256').update(text).digest('hex')}`;
  return sha256ByWebCrypto(text).then((digest) => `sha256:${toHex(digest)}`);
}

function withoutTime(annotations: unknown): unknown {
  if (!isObject(annotations)) return annotations;
  const { lastModified: _, ...rest } = annotations;
  return rest;
}

function withLockedMeta(meta: unknown): { _meta?: object } {
  if (!isObject(meta)) return {};
  const kept = Object.entries(meta).filter(([key]) => lockedMeta.has(key));
  return kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) };
}
