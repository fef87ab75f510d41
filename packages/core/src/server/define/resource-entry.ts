import { isObject } from '../../jsonrpc/message.ts';
import { toBase64Text, type ResourceContents } from '../../protocol/content.ts';
import { maxUriLength, type ResourceListing, type TemplateListing } from '../../protocol/listing.ts';
import { parsePattern, type TemplatePattern } from '../../protocol/uri-template/grammar.ts';
import type { Resource, Template } from './define.ts';
import { assertMembers, resourceKind, templateKind } from './migration-hints.ts';
import { describe } from './listing-fields.ts';
import type { Registered } from './registry.ts';
import type { AccessRules } from '../access.ts';
import type { AccessRule } from './access-rule.ts';

/** A registered resource with its precomputed listing. */
export interface ResourceEntry extends Registered {
  readonly resource: Resource;
  readonly listing: ResourceListing;
  readonly access: AccessRule | undefined;
}

/** A registered template with its precomputed listing and matcher. */
export interface TemplateEntry extends Registered {
  readonly template: Template;
  readonly pattern: TemplatePattern;
  readonly listing: TemplateListing;
  readonly access: AccessRule | undefined;
}

/** Validates a resource's definition and computes its listing. */
export function prepareResource(resource: Resource, position: number, rules: AccessRules): ResourceEntry {
  const { uri, name, size } = resource;
  if (typeof uri !== 'string' || !URL.canParse(uri)) {
    throw new TypeError(`Resource ${JSON.stringify(uri)}: an absolute URI is needed, such as "config://server"`);
  }
  if (uri.length > maxUriLength) {
    throw new TypeError(
      `Resource ${JSON.stringify(uri.slice(0, 100))}…: an address has at most ${maxUriLength} characters`,
    );
  }
  if (/[{}]/.test(uri)) {
    throw new TypeError(
      `Resource ${JSON.stringify(uri)}: an address has no variables. For many resources write ` +
        `template(${JSON.stringify(uri)}, { name: "…" }, (variables, context) => …)`,
    );
  }
  assertMembers(resourceKind, uri, resource);
  const listing = describe<ResourceListing>({ uri, name }, resource);
  addReadable(listing, resource);
  if (size !== undefined) listing.size = size;
  return { key: uri, position, resource, listing, access: rules.readRule(`Resource "${uri}"`, resource) };
}

/** The listed entries, cached by the array of all entries, which is replaced on every change. */
const listed = new WeakMap<readonly ResourceEntry[], readonly ResourceEntry[]>();

/** The resources that are in lists. */
export function listedOf({ list }: { readonly list: readonly ResourceEntry[] }): { list: readonly ResourceEntry[] } {
  let found = listed.get(list);
  if (found === undefined) {
    const isHidden = ({ resource }: ResourceEntry): boolean => resource.listed === false;
    found = list.some(isHidden) ? list.filter((entry) => !isHidden(entry)) : list;
    listed.set(list, found);
  }
  return { list: found };
}

/** Validates a template's definition and computes its pattern and listing. */
export function prepareTemplate(template: Template, position: number, rules: AccessRules): TemplateEntry {
  const { uriTemplate, name, complete = {} } = template;
  if (typeof uriTemplate !== 'string') throw new TypeError('A template needs a pattern, such as "notes://{id}"');
  assertMembers(templateKind, uriTemplate, template);
  const pattern = parsePattern(uriTemplate);
  for (const variable of Object.keys(complete)) {
    if (!pattern.variables.includes(variable)) {
      throw new TypeError(`Template "${uriTemplate}" has no variable "${variable}" to complete`);
    }
  }
  const listing = describe<TemplateListing>({ uriTemplate, name }, template);
  addReadable(listing, template);
  const rule = rules.readRule(`Template "${uriTemplate}"`, template);
  return { key: uriTemplate, position, template, pattern, listing, access: rule };
}

function addReadable(listing: ResourceListing | TemplateListing, { mimeType, annotations }: Resource | Template): void {
  if (mimeType !== undefined) listing.mimeType = mimeType;
  if (annotations !== undefined) listing.annotations = annotations;
}

/** Converts the return value of a resource's handler to contents. */
export function toContents(uri: string, mimeType: string | undefined, value: unknown): ResourceContents[] {
  if (Array.isArray(value) && value.every(isContents)) return value;
  if (isContents(value)) return [value];
  if (isFinished(value)) return value.contents.map((part) => ({ ...part, uri: part.uri ?? uri }));
  if (typeof value === 'string') return [{ uri, mimeType: mimeType ?? 'text/plain', text: value }];
  if (value instanceof Uint8Array) {
    return [{ uri, mimeType: mimeType ?? 'application/octet-stream', blob: toBase64Text(value) }];
  }
  return [{ uri, mimeType: mimeType ?? 'application/json', text: JSON.stringify(value) }];
}

/** True for a complete result of `resources/read`. Contents without a URI get the requested one. */
function isFinished(value: unknown): value is { contents: ResourceContents[] } {
  if (!isObject(value) || !Array.isArray(value.contents) || Object.keys(value).length > 1) return false;
  return value.contents.every((part) => isObject(part) && isContents({ ...part, uri: part.uri ?? '' }));
}

function isContents(value: unknown): value is ResourceContents {
  return (
    isObject(value) &&
    typeof value.uri === 'string' &&
    (typeof value.text === 'string' || typeof value.blob === 'string')
  );
}
