import { isObject, type Params } from '../jsonrpc/message.ts';
import { isInEra } from '../protocol/capabilities.ts';
import { checkExtensionId, checkIsNoMaker } from '../protocol/extension-id.ts';
import type { MethodFacts, MethodRows } from '../protocol/methods.ts';
import type { Revision } from '../revisions/revision.ts';
import type { Awaitable } from '../jsonrpc/awaitable.ts';
import type { EndOfService, Service } from './call/background-job.ts';
import type { Tool } from './define/define.ts';
import type { Middleware, Operation, Outcome } from './call/operation.ts';
import { type ScopeRule, type Scopes, scopeRule } from './scopes/scope-rule.ts';
import type { Server } from './server.ts';
import type { AddToTool } from './define/tool-addition.ts';
import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';

/** The server's half of an extension. */
export interface ServerExtension {
  /** `prefix/name`; the prefix is a reversed domain that its author owns, such as `com.example/tickets`. */
  readonly id: string;
  /** What the other side is told. Default: `{}`, which says that the extension is there. */
  readonly settings?: object;
  /** The only era that has it. Default: both. */
  readonly era?: 'handshake' | 'stateless';
  /** The requests that it adds, by method. */
  readonly methods?: Readonly<Record<string, ExtensionMethod>>;
  /** The notifications that it adds, by method. */
  readonly notifications?: Readonly<Record<string, ExtensionNotification>>;
  /** What it adds to the filter of `subscriptions/listen`, by member. */
  readonly listens?: Readonly<Record<string, Listen>>;
  /** Whether a client has it that declares it with these settings. Default: yes. */
  readonly accepts?: (settings: object) => boolean;
  /** Looks at each tool before it is offered, and says what the extension adds to it. */
  readonly addToTool?: AddToTool;
  /** Runs around everything that the server serves. */
  readonly around?: Middleware;
  /**
   * Runs around the handler of a tool, after its arguments were checked. Asked once for each tool that is added; undefined:
   * that tool is none of its business, and its calls cost nothing.
   */
  readonly aroundTool?: (tool: Tool) => AroundTool | undefined;
  /** Called once, with the server that has the extension. */
  readonly install?: (server: Server) => void;
  /**
   * Called when a transport begins to serve the server, or the server takes the place of another. Gives what is to be done
   * before that ends; where the server is replaced, what it began may be finished first.
   */
  readonly open?: (service: Service) => (why: EndOfService) => Awaitable<void>;
  /** What it is for clients of a handshake revision that has such a thing itself, where there is one. */
  readonly formerly?: FormerForm;
}

/** The form of an extension in handshake revisions that have it as a part of their own, whoever declares the extension. */
export interface FormerForm {
  /** The short name of that part. */
  readonly part: string;
  /** The requests that belong to it there, by method. They may have the names of the extension's own. */
  readonly methods: Readonly<Record<string, ExtensionMethod>>;
  /** What it adds to the capabilities that such clients are told; undefined where there is nothing to tell. */
  capabilities(tools: Iterable<Tool>): object | undefined;
  /** What it adds to the row of a tool; undefined where there is nothing to add. */
  describe(tool: Tool): object | undefined;
  /** Throws where a tool can't be called in this way, before its arguments are looked at. */
  admit?(tool: Tool, params: Params, tools: Iterable<Tool>): void;
}

/**
 * Runs the handler of a tool, or does something in its place. Gives what the handler would return. `runApart` is for a call
 * that was answered and goes on aside: it runs the handler too, but what that returns may be told only to what the call goes
 * on with, which saves memory where thousands of them wait. Whatever it gives is to be given on.
 */
export type AroundTool = (operation: Operation, run: () => unknown, runApart: () => unknown) => unknown;

/** A request that an extension adds, and what is special about it. */
export interface ExtensionMethod extends MethodFacts {
  /** It is served to every caller, also to one that does not declare the extension. Default: false. */
  readonly servesEveryone?: boolean;
  /** What a caller must have been granted; a function of the params where that depends on them. Default: nothing. */
  readonly scopes?: Scopes<[params: Params]>;
  serve(operation: Operation): Outcome | Promise<Outcome>;
}

/** A notification that an extension adds, in either direction. */
export interface ExtensionNotification extends MethodFacts {
  /** Told to every handshake client that declared the extension, not only to whom it is sent. */
  readonly broadcast?: boolean;
  /** Takes one that a client sends. */
  receive?(operation: Operation): void | Promise<void>;
}

/** Decides what a client hears of what it wants to listen to. Undefined: nothing. */
export type Listen = (wish: unknown, operation: Operation) => Awaitable<Listening | undefined>;

/** What one client listens to, as far as the extension grants it. */
export interface Listening {
  /** What of the wish is granted: the client is told. */
  readonly granted: unknown;
  /** True where a notification of the server's is for this client. */
  hears(method: string, params: Params): boolean;
  /** Tells what is so already, right after the client was told what is granted. */
  begin?(tell: (method: string, params: Params) => void): void;
  /** The client listens no more. */
  end?(): void;
}

/** A request that an extension adds, with what it demands of its callers. */
interface AddedMethod {
  readonly extension: ServerExtension;
  readonly method: ExtensionMethod;
  readonly scopes: ScopeRule | undefined;
}

/** The same of a part that a revision has itself. */
type FormerMethod = AddedMethod & { readonly part: string };

/** The extensions of one server, by everything that they add. */
export class Extensions {
  readonly all: readonly ServerExtension[];
  /** The facts of the methods and notifications that they add. */
  readonly rows: MethodRows;
  readonly #methods = new Map<string, AddedMethod>();
  readonly #former = new Map<string, FormerMethod>();
  readonly #forms = new WeakMap<ReadonlySet<string>, readonly FormerForm[]>();
  readonly #notifications = new Map<string, { extension: ServerExtension; notification: ExtensionNotification }>();

  /** Throws a `TypeError` that says what to do where one can't be used. */
  constructor(extensions: readonly ServerExtension[], isTaken: (method: string) => boolean) {
    if (!Array.isArray(extensions)) {
      throw new TypeError('"extensions" must be a list of extensions, such as [{ id: "com.example/x", settings: {} }]');
    }
    this.all = extensions;
    const ids = new Set<string>();
    for (const extension of extensions) {
      checkExtension(extension);
      if (ids.has(extension.id)) throw new TypeError(`Extension "${extension.id}" is there twice: leave one out`);
      ids.add(extension.id);
      this.#add(extension, isTaken);
    }
    this.rows = Object.fromEntries([
      ...Array.from(this.#former, ([name, { method }]) => [name, method]),
      ...Array.from(this.#methods, ([name, { method }]) => [name, method]),
      ...Array.from(this.#notifications, ([name, { notification }]) => [name, notification]),
    ]);
  }

  /** The extension that a request belongs to, and how it is served. */
  method(name: string): AddedMethod | undefined {
    return this.#methods.get(name) ?? this.#former.get(name);
  }

  /** The same for a client of this revision; undefined where the extension has no such request there. */
  methodIn(name: string, { era, parts }: Revision): AddedMethod | undefined {
    const former = parts.size === 0 ? undefined : this.#former.get(name);
    if (former !== undefined && parts.has(former.part)) return former;
    const found = this.#methods.get(name);
    return found !== undefined && isInEra(found.extension, era) ? found : undefined;
  }

  /** What they are in a revision that has such things itself. */
  formsIn({ parts }: Revision): readonly FormerForm[] {
    if (parts.size === 0 || this.all.length === 0) return none;
    // Asked with every call of a tool.
    let forms = this.#forms.get(parts);
    if (forms === undefined) {
      const all = this.all.flatMap(({ formerly }) => formerly ?? []);
      forms = all.filter(({ part }) => parts.has(part));
      this.#forms.set(parts, forms);
    }
    return forms;
  }

  /** The extension that a notification belongs to. */
  notification(name: string): { extension: ServerExtension; notification: ExtensionNotification } | undefined {
    return this.#notifications.get(name);
  }

  /** Runs around the handler of a tool; undefined where none of them has anything to do with it. */
  aroundTool(tool: Tool): AroundTool | undefined {
    let all: AroundTool | undefined;
    for (const extension of this.all) {
      const around = extension.aroundTool?.(tool);
      const inner = all;
      if (around !== undefined) {
        all = inner === undefined ? around : within(around, inner);
      }
    }
    return all;
  }

  /** True for the requests and notifications that they add. */
  adds(name: string): boolean {
    return this.#methods.has(name) || this.#former.has(name) || this.#notifications.has(name);
  }

  /** What their methods demand of callers. */
  get scopeRules(): ScopeRule[] {
    return [...this.#methods.values(), ...this.#former.values()].flatMap(({ scopes }) => scopes ?? []);
  }

  /** What is told of them in an era; undefined where there is nothing to tell. */
  settingsIn(era: 'handshake' | 'stateless'): Record<string, object> | undefined {
    const told = this.all.filter((extension) => isInEra(extension, era));
    if (told.length === 0) return undefined;
    return Object.fromEntries(told.map(({ id, settings = {} }) => [id, settings]));
  }

  #add(extension: ServerExtension, isTaken: (method: string) => boolean): void {
    const take = (name: string): void => {
      if (isTaken(name) || this.adds(name)) {
        throw new TypeError(`Extension "${extension.id}" adds "${name}", which exists already: choose another name`);
      }
    };
    const added = ([name, method]: [string, ExtensionMethod]): [string, AddedMethod] => {
      take(name);
      if (typeof method.serve !== 'function') {
        throw new TypeError(`Extension "${extension.id}": "${name}" has no handler: give it a "serve" function`);
      }
      const scopes = scopeRule(`Extension "${extension.id}": "${name}"`, method);
      return [name, { extension, method, scopes }];
    };
    const { methods = {}, formerly } = extension;
    // Both forms may have a name in common, so all are looked at before any is kept.
    const own = Object.entries(methods).map(added);
    const former = Object.entries(formerly?.methods ?? {}).map(added);
    for (const [name, method] of own) this.#methods.set(name, method);
    for (const [name, method] of former) this.#former.set(name, { ...method, part: formerly?.part ?? '' });
    for (const [name, notification] of Object.entries(extension.notifications ?? {})) {
      take(name);
      this.#notifications.set(name, { extension, notification });
    }
  }
}

const none: readonly never[] = [];

/** The outer one is to see what the handler returns, so the inner one can't run it apart. */
function within(outer: AroundTool, inner: AroundTool): AroundTool {
  return (operation, run) => {
    const runInner = (): unknown => inner(operation, run, run);
    return outer(operation, runInner, runInner);
  };
}

function checkExtension(extension: ServerExtension): void {
  checkIsNoMaker(extension);
  const { id, settings } = extension;
  checkExtensionId(id);
  if (settings !== undefined && !isObject(settings)) {
    throw new TypeError(`Extension "${id}": "settings" must be an object; {} where there is nothing to set`);
  }
}

/** The error for something that belongs to an extension which the request does not declare. */
export function missingExtension(what: string, id: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.MissingClientCapability,
    `${what} belongs to the extension "${id}", which this request does not declare`,
    { requiredCapabilities: { extensions: { [id]: {} } } },
  );
}
