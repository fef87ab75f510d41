import type { Operation } from '../../server/call/operation.ts';
import { assertKnownOptions } from '../../schema/known-options.ts';
import { nameMatcher } from '../name-pattern.ts';
import { type Group, isGroupName } from './group.ts';

/** A group of a server, with the names of its members. */
export interface GroupDefinition extends Group {
  /** Instructions for the model, in Markdown. A function is called for each request. */
  instructions?: string | (() => string | undefined);
  /** Names of tools; `*` matches any text. */
  tools?: readonly string[];
  /** Names of prompts; `*` matches any text. */
  prompts?: readonly string[];
  /** URIs of resources; `*` matches any text. */
  resources?: readonly string[];
  /** Names of nested groups, which the top-level list then omits. */
  groups?: readonly string[];
}

/** The kinds of members besides nested groups. */
export type MemberKind = 'tools' | 'prompts' | 'resources';

/** A validated definition. */
export interface ServedGroup {
  readonly listing: Group;
  readonly nested: readonly string[];
  /** True if it names tools, prompts, resources or groups. */
  readonly hasMembers: boolean;
  instructions(): string | undefined;
  has(kind: MemberKind, name: string, operation: Operation): boolean;
}

const members: readonly (keyof GroupDefinition)[] = [
  'name',
  'title',
  'description',
  'instructions',
  'tools',
  'prompts',
  'resources',
  'groups',
  '_meta',
];

/** Validates the groups of a server. Throws a `TypeError` that says what to change. */
export function compileGroups(definitions: readonly GroupDefinition[]): readonly ServedGroup[] {
  if (!Array.isArray(definitions)) {
    throw new TypeError(
      'groups needs a list of groups, such as [{ name: "mail", description: "…", tools: ["mail_*"] }]',
    );
  }
  const byName = new Map<string, ServedGroup>();
  for (const definition of definitions as readonly GroupDefinition[]) {
    const group = compileGroup(definition);
    const { name } = group.listing;
    if (byName.has(name)) throw new TypeError(`There are two groups "${name}": give one of them another name`);
    byName.set(name, group);
  }
  for (const { listing, nested } of byName.values()) {
    const unknown = nested.find((name) => !byName.has(name));
    if (unknown === undefined) continue;
    throw new TypeError(`Group "${listing.name}" names the group ${quote(unknown)}, which is not in the list: add it`);
  }
  assertNoCycle(byName);
  return Array.from(byName.values());
}

function compileGroup(definition: GroupDefinition): ServedGroup {
  assertKnownOptions('A group', definition, members);
  const { name, title, description, instructions, _meta, groups: nested = [] } = definition;
  if (!isGroupName(name)) {
    throw new TypeError(`Group name ${quote(name)}: use 1 to 64 of a-z and 0-9, with single hyphens between`);
  }
  if (typeof description !== 'string' || description.trim() === '') {
    throw new TypeError(`Group "${name}" needs a "description": a sentence that says what it is for`);
  }
  if (instructions !== undefined && typeof instructions !== 'string' && typeof instructions !== 'function') {
    throw new TypeError(`Group "${name}": "instructions" must be a text, or a function that returns one`);
  }
  const matchers = Object.fromEntries(
    (['tools', 'prompts', 'resources'] as const).map((kind) => [
      kind,
      toNames(name, kind, definition[kind]).map(nameMatcher),
    ]),
  ) as Record<MemberKind, ((name: string) => boolean)[]>;
  const hasMembers = toNames(name, 'groups', nested).length + Object.values(matchers).flat().length > 0;
  if (!hasMembers && instructions === undefined) {
    throw new TypeError(`Group "${name}" is empty: give it tools, prompts, resources, groups or instructions`);
  }
  return {
    listing: { name, ...(title !== undefined && { title }), description, ...(_meta !== undefined && { _meta }) },
    nested,
    hasMembers,
    instructions: () => (typeof instructions === 'function' ? instructions() : instructions),
    has: (kind, key) => matchers[kind].some((matches) => matches(key)),
  };
}

function toNames(group: string, member: string, names: unknown = []): string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string' && name !== '')) return names as string[];
  throw new TypeError(`Group "${group}": "${member}" must be a list of names`);
}

function assertNoCycle(byName: ReadonlyMap<string, ServedGroup>): void {
  const checked = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    const at = path.indexOf(name);
    if (at !== -1) {
      const cycle = [...path.slice(at), name].join('" has "');
      throw new TypeError(`Groups must not contain each other: "${cycle}"`);
    }
    if (checked.has(name)) return;
    for (const nested of byName.get(name)?.nested ?? []) visit(nested, [...path, name]);
    checked.add(name);
  };
  for (const name of byName.keys()) visit(name, []);
}

function quote(value: unknown): string {
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value) ?? String(value);
}
