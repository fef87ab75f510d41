import { ErrorCode, invalidParams, ProtocolError } from '../../jsonrpc/errors.ts';
import { PreparedResult } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import { assertKnownOptions } from '../../schema/known-options.ts';
import type { Middleware, Next, Operation, Outcome } from '../../server/call/operation.ts';
import type { ExtensionMethod, PartOfWhole, ServerExtension } from '../../server/extension.ts';
import { fromCursor, toCursor } from '../../server/lists/pagination.ts';
import type { Server } from '../../server/server.ts';
import { type ListMethod, listMembers, readRows, toPage } from '../read-list.ts';
import { type Group, type GroupContents, groupsChanged, groupsId } from './group.ts';
import { compileGroups, type GroupDefinition, type MemberKind, type ServedGroup } from './group-definition.ts';

/** Options of `groups`. */
export interface GroupsOptions {
  /**
   * What clients without the extension get: all members in the usual lists, or none of them. Hidden members can still
   * be called: scopes restrict access. Default: `flatten`.
   */
  fallback?: 'flatten' | 'hide';
}

/** Groups of a server: pass it in `extensions` of `createServer`. */
export interface ServedGroups extends ServerExtension {
  /** Replaces the groups, and notifies clients. Throws a `TypeError` if one is invalid; then the previous ones stay. */
  replace(definitions: readonly GroupDefinition[]): void;
}

/** Returns the current groups: the same array until they change. */
type Source = () => readonly ServedGroup[];

type Fallback = NonNullable<GroupsOptions['fallback']>;

/** Groups per page of the list. */
const pageSize = 100;

/** The groups of each extension that `groups` created. */
const sources = new WeakMap<ServerExtension, { source: Source; fallback: Fallback }>();

/**
 * Serves tools, prompts and resources in groups: clients with the extension get them from `groups/get` instead of the lists.
 * Experimental: by a draft.
 *
 * @example
 * createServer({ …, extensions: [groups([{ name: 'mail', description: 'Reads and sends mail', tools: ['mail_*'] }])] });
 */
export function groups(definitions: readonly GroupDefinition[], options: GroupsOptions = {}): ServedGroups {
  assertKnownOptions('groups', options, ['fallback'] satisfies (keyof GroupsOptions)[]);
  const { fallback = 'flatten' } = options;
  if (fallback !== 'flatten' && fallback !== 'hide') {
    throw new TypeError(`groups: "fallback" must be "flatten" or "hide", not ${JSON.stringify(fallback)}`);
  }
  let current = compileGroups(definitions);
  const servers = new Set<Server>();
  return {
    ...createExtension(() => current, fallback),
    install(server) {
      servers.add(server);
    },
    replace(latest) {
      current = compileGroups(latest);
      for (const server of servers) server.notify(groupsChanged);
    },
  };
}

function createExtension(source: Source, fallback: Fallback): ServerExtension {
  const served = new GroupLists(source, fallback);
  // The middleware answers it, since it can read the lists.
  const method: ExtensionMethod = { caches: true, repeatable: true, serve: () => ({}) };
  const extension: ServerExtension = {
    id: groupsId,
    settings: { listChanged: true },
    methods: { 'groups/list': method, 'groups/get': { ...method, listsTools: 'contents' } },
    notifications: { [groupsChanged]: { broadcast: true } },
    listens: {
      groupsListChanged: (wish) =>
        wish === true ? { granted: true, matches: (name) => name === groupsChanged } : undefined,
    },
    around: served.around,
    inWhole: (part) => createExtension(mapSource(source, part), fallback),
    join: joinGroups,
  };
  sources.set(extension, { source, fallback });
  return extension;
}

/** The groups of a part, with the names that the composed server shows. */
function mapSource(source: Source, { prefix, offers }: PartOfWhole): Source {
  const shown = new WeakMap<readonly ServedGroup[], readonly ServedGroup[]>();
  return () => {
    const own = source();
    const known = shown.get(own) ?? own.map((group) => inPart(group, prefix, offers));
    shown.set(own, known);
    return known;
  };
}

function inPart(group: ServedGroup, prefix: string, offers: PartOfWhole['offers']): ServedGroup {
  return {
    ...group,
    has(kind, name, operation) {
      const own = kind === 'resources' ? name : name.slice(prefix.length);
      return offers(kind, name, operation) && group.has(kind, own, operation);
    },
  };
}

/** Joins the groups of the parts of a composed server. Throws if two have a group of the same name. */
function joinGroups(parts: readonly ServerExtension[]): ServerExtension {
  const all = parts.flatMap((part) => sources.get(part) ?? []);
  const names = new Set<string>();
  for (const { listing } of all.flatMap(({ source }) => source())) {
    if (names.has(listing.name)) {
      throw new Error(`Two parts have a group "${listing.name}": give one of them another name`);
    }
    names.add(listing.name);
  }
  let known: { of: readonly (readonly ServedGroup[])[]; groups: readonly ServedGroup[] } | undefined;
  const source: Source = () => {
    const latest = all.map((each) => each.source());
    if (known === undefined || latest.some((each, index) => each !== known?.of[index])) {
      // If two parts have a group of this name, which `replace` may cause, the first one wins.
      const byName = new Map<string, ServedGroup>();
      for (const group of latest.flat()) if (!byName.has(group.listing.name)) byName.set(group.listing.name, group);
      known = { of: latest, groups: Array.from(byName.values()) };
    }
    return known.groups;
  };
  return createExtension(source, all.every(({ fallback }) => fallback === 'hide') ? 'hide' : 'flatten');
}

const kindOf: Readonly<Record<ListMethod, MemberKind>> = listMembers;
const methods = Object.keys(listMembers) as ListMethod[];
const keyOf = { tools: 'name', prompts: 'name', resources: 'uri' } as const;

type Row = Readonly<Record<string, unknown>>;

/** The groups as the caller of a request sees them. */
interface View {
  /** The groups by name. */
  readonly groups: ReadonlyMap<string, ServedGroup>;
  readonly contents: ReadonlyMap<ServedGroup, GroupContents>;
}

/** Serves the lists of groups, and removes their members from the other lists. */
class GroupLists {
  readonly #source: Source;
  readonly #fallback: Fallback;
  /** Cached pages without members of groups, by page: the same object until the list changes. */
  #filtered: { of: readonly ServedGroup[]; pages: WeakMap<object, Outcome> } | undefined;

  constructor(source: Source, fallback: Fallback) {
    this.#source = source;
    this.#fallback = fallback;
  }

  readonly around: Middleware = (operation, next) => {
    const { method } = operation;
    if (method === 'groups/list') return this.#list(operation, next);
    if (method === 'groups/get') return this.#get(operation, next);
    if (!Object.hasOwn(listMembers, method)) return next();
    // The result depends on the capabilities in the request, so shared caches must not store it.
    operation.keepPrivate();
    const hides = operation.supports(groupsId) || this.#fallback === 'hide';
    return hides ? this.#filter(operation, next, method as ListMethod) : next();
  };

  /** A page of a list without members of groups. Skips pages that would be empty. */
  async #filter(operation: Operation, next: Next, method: ListMethod): Promise<Outcome> {
    for (let { cursor } = operation.params; ; ) {
      const whole = await next(cursor === undefined ? operation.params : { ...operation.params, cursor });
      const filtered = this.#filterPage(operation, whole, method);
      const { nextCursor, [listMembers[method]]: rows } = toPage(filtered);
      if (nextCursor === undefined || (rows as Row[]).length > 0) return filtered;
      cursor = nextCursor;
    }
  }

  #filterPage(operation: Operation, whole: Outcome, method: ListMethod): Outcome {
    const served = this.#source();
    if (this.#filtered?.of !== served) this.#filtered = { of: served, pages: new WeakMap() };
    const { pages } = this.#filtered;
    const known = pages.get(whole);
    if (known !== undefined) return known;
    const page = toPage(whole);
    const kind = kindOf[method];
    const rows = (page[kind] as Row[]).filter((row) => {
      const name = String(row[keyOf[kind]]);
      return !served.some((group) => group.has(kind, name, operation));
    });
    const rest = { ...page, [kind]: rows };
    const filtered = whole instanceof PreparedResult ? new PreparedResult(JSON.stringify(rest)) : rest;
    pages.set(whole, filtered);
    return filtered;
  }

  async #list(operation: Operation, next: Next): Promise<Result> {
    const { cursor } = operation.params;
    const start = cursor === undefined ? 0 : Number(fromCursor(cursor, 'groups/list')[0]);
    const { groups: visible } = await this.#view(operation, next);
    const nested = new Set(Array.from(visible.values()).flatMap((group) => group.nested));
    const top = Array.from(visible.values()).filter(({ listing }) => !nested.has(listing.name));
    const end = start + pageSize;
    return {
      groups: top.slice(start, end).map(({ listing }) => listing),
      ...(end < top.length && { nextCursor: toCursor(['groups/list', end]) }),
    };
  }

  async #get(operation: Operation, next: Next): Promise<Result> {
    const { name } = operation.params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string: the name of a group');
    const { groups: visible, contents } = await this.#view(operation, next);
    const group = visible.get(name);
    if (group === undefined) {
      throw new ProtocolError(ErrorCode.ResourceNotFound, `There is no group ${JSON.stringify(name.slice(0, 64))}`);
    }
    const instructions = group.instructions();
    const found = contents.get(group) ?? {};
    const isEmpty = Object.keys(found).length === 0;
    return {
      ...(instructions !== undefined && { instructions }),
      ...((!isEmpty || instructions === undefined) && { contents: found }),
    };
  }

  /** The groups that a caller sees: those with a visible member, or with instructions only. */
  async #view(operation: Operation, next: Next): Promise<View> {
    operation.keepPrivate();
    const served = this.#source();
    const rows = await Promise.all(
      methods.map(async (method) => [kindOf[method], await readList(next, method)] as const),
    );
    const contents = new Map<ServedGroup, GroupContents>();
    for (const group of served) {
      const entries = rows
        .map(
          ([kind, all]) => [kind, all.filter((row) => group.has(kind, String(row[keyOf[kind]]), operation))] as const,
        )
        .filter(([, own]) => own.length > 0);
      contents.set(group, Object.fromEntries(entries));
    }
    const byName = new Map(served.map((group) => [group.listing.name, group]));
    const known = new Map<ServedGroup, boolean>();
    const isVisible = (group: ServedGroup): boolean => {
      const isShown =
        known.get(group) ??
        (!group.hasMembers || Object.keys(contents.get(group) ?? {}).length > 0 || childrenOf(group).length > 0);
      known.set(group, isShown);
      return isShown;
    };
    const childrenOf = (group: ServedGroup): ServedGroup[] =>
      group.nested.flatMap((name) => byName.get(name) ?? []).filter(isVisible);
    const visible = new Map<string, ServedGroup>();
    for (const group of served) {
      if (!isVisible(group)) continue;
      visible.set(group.listing.name, group);
      const children = childrenOf(group).map(({ listing }): Group => listing);
      if (children.length > 0) contents.set(group, { ...contents.get(group), groups: children });
    }
    return { groups: visible, contents };
  }
}

/** The rows of complete lists, by first page. */
const lists = new WeakMap<object, Promise<Row[]>>();

/** Reads a complete list as the caller would get it without the extension. Empty if the server has none. */
async function readList(next: Next, method: ListMethod): Promise<Row[]> {
  let first: Outcome;
  try {
    first = await next({}, method);
  } catch (error) {
    if (error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound) return [];
    throw error;
  }
  const known = lists.get(first) ?? readRows<Row>(next, method, first);
  lists.set(first, known);
  return known;
}
