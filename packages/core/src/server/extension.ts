import { isObject, type Params } from '../jsonrpc/message.ts';
import { checkExtensionId, checkIsNoMaker, isInEra } from '../protocol/capabilities.ts';
import type { MethodFacts, MethodRows } from '../protocol/methods.ts';
import type { Revision } from '../revisions/revision.ts';
import type { Awaitable } from '../jsonrpc/awaitable.ts';
import type { CloseReason, Service } from './call/background-job.ts';
import type { Tool } from './define/define.ts';
import type { Middleware, Operation, Outcome } from './call/operation.ts';
import type { AccessRules } from './access.ts';
import type { AccessRule } from './define/access-rule.ts';
import type { CallGuard } from './define/feature-options.ts';
import type { Server } from './server.ts';
import type { AddToTool } from './define/tool-addition.ts';
import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';

/** The server's half of an extension. */
export interface ServerExtension {
  /** `prefix/name`; the prefix is a reversed domain that its author owns, such as `com.example/tickets`. */
  readonly id: string;
  /** The settings that are declared to the other side. Default: `{}`. */
  readonly settings?: object;
  /** The only era that has it. Default: both. */
  readonly era?: 'handshake' | 'stateless';
  /** The request methods that it adds. */
  readonly methods?: Readonly<Record<string, ExtensionMethod>>;
  /** The notifications that it adds, by method. */
  readonly notifications?: Readonly<Record<string, ExtensionNotification>>;
  /** Members that it adds to the filter of `subscriptions/listen`. */
  readonly listens?: Readonly<Record<string, Listen>>;
  /** Whether the settings that a client declares are accepted. Default: yes. */
  readonly accepts?: (settings: object) => boolean;
  /** Called when a tool is added; returns the extension's addition. */
  readonly addToTool?: AddToTool;
  /** Middleware around every request. */
  readonly around?: Middleware;
  /**
   * Wraps the handler of a tool, after its arguments were validated. Called once per tool; undefined: no wrapper and no
   * overhead.
   */
  readonly aroundTool?: (tool: Tool) => AroundTool | undefined;
  /** Called once, with the server that has the extension. */
  readonly install?: (server: Server) => void;
  /**
   * Called when a transport starts serving, or the server replaces another. Returns the cleanup; when the server is
   * replaced, it may finish its work first.
   */
  readonly open?: (service: Service) => (why: CloseReason) => Awaitable<void>;
  /**
   * Merges the extensions that the parts of a composed server have under this id, if each has its own copy. The
   * composed server then serves its requests. Undefined: the parts must have the same value.
   */
  readonly join?: (parts: readonly ServerExtension[]) => ServerExtension;
  /**
   * Its form in a composed server, for an extension that needs the lists of all parts: the composed server then serves
   * its requests, and its `around` runs around the composed server. Undefined: the part serves its requests, and
   * `around` runs around the part.
   */
  readonly inWhole?: (part: PartOfWhole) => ServerExtension;
  /** Its form for clients of a handshake revision that has the feature built in. */
  readonly legacyForm?: LegacyForm;
}

/** A part of a composed server. */
export interface PartOfWhole {
  /** The prefix of the names of its tools and prompts. */
  readonly prefix: string;
  /**
   * True if the composed server shows an entry of this part under a name or URI, to all callers or to this one only.
   */
  offers(kind: 'tools' | 'prompts' | 'resources', name: string, operation: Operation): boolean;
}

/**
 * The form of an extension in handshake revisions that have the feature built in, whether or not clients declare it.
 */
export interface LegacyForm {
  /** The short name of the feature in the revision. */
  readonly feature: string;
  /** Its requests there, by method. They may have the same names as the extension's own. */
  readonly methods: Readonly<Record<string, ExtensionMethod>>;
  /** Capabilities that it adds for such clients; undefined: none. */
  capabilities(tools: Iterable<Tool>): object | undefined;
  /** Additions to the list entry of a tool; undefined: none. */
  describe(tool: Tool): object | undefined;
  /** Throws if a tool can't be called in this form, before its arguments are validated. */
  assertCallable?(tool: Tool, params: Params, tools: Iterable<Tool>): void;
}

/**
 * Wraps the handler of a tool. Returns the handler's return value, or another one. `runApart` is for a call in the
 * background: it runs the handler too, but passes the outcome only to the call's job, which saves memory when thousands
 * of calls wait. Return its return value.
 */
export type AroundTool = (operation: Operation, run: () => unknown, runApart: () => unknown) => unknown;

/** A request method of an extension, and its properties. */
export interface ExtensionMethod extends MethodFacts, CallGuard<[params: Params]> {
  /** It is served to all callers, also without a declaration of the extension. Default: false. */
  readonly servesEveryone?: boolean;
  serve(operation: Operation): Outcome | Promise<Outcome>;
}

/** A notification that an extension adds, in either direction. */
export interface ExtensionNotification extends MethodFacts {
  /** Sent to every handshake client that declared the extension. */
  readonly broadcast?: boolean;
  /** Handles one that a client sends. */
  receive?(operation: Operation): void | Promise<void>;
}

/** Decides which of the requested notifications a client gets. Undefined: none. */
export type Listen = (wish: unknown, operation: Operation) => Awaitable<Listening | undefined>;

/** The subscription of one client, as far as the extension grants it. */
export interface Listening {
  /** The granted part of the filter, which is sent to the client. */
  readonly granted: unknown;
  /** True if a notification of the server is for this client. */
  matches(method: string, params: Params): boolean;
  /** Sends the current state, right after the acknowledgement. */
  begin?(notify: (method: string, params: Params) => void): void;
  /** Called when the subscription ends. */
  end?(): void;
}

/** A request method of an extension, with its access requirement. */
interface AddedMethod {
  readonly extension: ServerExtension;
  readonly method: ExtensionMethod;
  readonly access: AccessRule | undefined;
}

/** A request of a feature that is built into a revision. */
type LegacyMethod = AddedMethod & { readonly feature: string };

/** The extensions of one server, indexed by their methods and notifications. */
export class Extensions {
  readonly all: readonly ServerExtension[];
  /** The properties of their methods and notifications. */
  readonly rows: MethodRows;
  /** True if one of them has a legacy form. */
  readonly hasLegacyForms: boolean;
  readonly #methods = new Map<string, AddedMethod>();
  readonly #legacyMethods = new Map<string, LegacyMethod>();
  readonly #forms = new WeakMap<ReadonlySet<string>, readonly LegacyForm[]>();
  readonly #rules: AccessRules;
  readonly #notifications = new Map<string, { extension: ServerExtension; notification: ExtensionNotification }>();

  /** Throws a `TypeError` with advice if one is invalid. */
  constructor(
    extensions: readonly ServerExtension[],
    { isTaken, rules }: { isTaken: (method: string) => boolean; rules: AccessRules },
  ) {
    if (!Array.isArray(extensions)) {
      throw new TypeError('"extensions" must be a list of extensions, such as [{ id: "com.example/x", settings: {} }]');
    }
    this.all = extensions;
    this.hasLegacyForms = extensions.some(({ legacyForm }) => legacyForm !== undefined);
    this.#rules = rules;
    const ids = new Set<string>();
    for (const extension of extensions) {
      checkExtension(extension);
      if (ids.has(extension.id)) throw new TypeError(`Extension "${extension.id}" is there twice: leave one out`);
      ids.add(extension.id);
      this.#add(extension, isTaken);
    }
    const rows = Object.create(null) as Record<string, MethodFacts>;
    for (const [name, { method }] of this.#legacyMethods) rows[name] = method;
    for (const [name, { method }] of this.#methods) rows[name] = method;
    for (const [name, { notification }] of this.#notifications) rows[name] = notification;
    this.rows = rows;
  }

  /** The extension that a request belongs to, and how it is served. */
  method(name: string): AddedMethod | undefined {
    return this.#methods.get(name) ?? this.#legacyMethods.get(name);
  }

  /** The request for a client of this revision; undefined if the extension does not have it there. */
  methodIn(name: string, { era, builtInFeatures }: Revision): AddedMethod | undefined {
    const legacy = builtInFeatures.size === 0 ? undefined : this.#legacyMethods.get(name);
    if (legacy !== undefined && builtInFeatures.has(legacy.feature)) return legacy;
    const found = this.#methods.get(name);
    return found !== undefined && isInEra(found.extension, era) ? found : undefined;
  }

  /** The legacy forms in a revision that has them built in. */
  formsIn({ builtInFeatures }: Revision): readonly LegacyForm[] {
    if (builtInFeatures.size === 0 || !this.hasLegacyForms) return none;
    // Called with every tool call.
    let forms = this.#forms.get(builtInFeatures);
    if (forms === undefined) {
      const all = this.all.flatMap(({ legacyForm }) => legacyForm ?? []);
      forms = all.filter(({ feature }) => builtInFeatures.has(feature));
      this.#forms.set(builtInFeatures, forms);
    }
    return forms;
  }

  /** The extension that a notification belongs to. */
  notification(name: string): { extension: ServerExtension; notification: ExtensionNotification } | undefined {
    return this.#notifications.get(name);
  }

  /** Wraps the handler of a tool; undefined if no extension wraps it. */
  aroundTool(tool: Tool): AroundTool | undefined {
    let all: AroundTool | undefined;
    for (const extension of this.all) {
      const around = extension.aroundTool?.(tool);
      const inner = all;
      if (around !== undefined) {
        all = inner === undefined ? around : nest(around, inner);
      }
    }
    return all;
  }

  /** True for the requests and notifications that they add. */
  adds(name: string): boolean {
    return this.#methods.has(name) || this.#legacyMethods.has(name) || this.#notifications.has(name);
  }

  /** True if one of their methods has an access requirement. */
  get isGuarded(): boolean {
    return [...this.#methods.values(), ...this.#legacyMethods.values()].some(({ access }) => access !== undefined);
  }

  /** The settings to declare in an era; undefined if there are none. */
  settingsIn(era: 'handshake' | 'stateless'): Record<string, object> | undefined {
    const declared = this.all.filter((extension) => isInEra(extension, era));
    if (declared.length === 0) return undefined;
    return Object.fromEntries(declared.map(({ id, settings = {} }) => [id, settings]));
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
      const access = this.#rules.callRule(`Extension "${extension.id}": "${name}"`, method);
      return [name, { extension, method, access }];
    };
    const { methods = {}, legacyForm } = extension;
    // Both forms may share a name, so all are checked before any is registered.
    const own = Object.entries(methods).map(added);
    const legacy = Object.entries(legacyForm?.methods ?? {}).map(added);
    for (const [name, method] of own) this.#methods.set(name, method);
    for (const [name, method] of legacy)
      this.#legacyMethods.set(name, { ...method, feature: legacyForm?.feature ?? '' });
    for (const [name, notification] of Object.entries(extension.notifications ?? {})) {
      take(name);
      this.#notifications.set(name, { extension, notification });
    }
  }
}

const none: readonly never[] = [];

/** The outer wrapper must see the handler's return value, so the inner one can't run apart. */
function nest(outer: AroundTool, inner: AroundTool): AroundTool {
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

/** The error for a request of an extension that the client did not declare. */
export function missingExtension(what: string, id: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.MissingClientCapability,
    `${what} belongs to the extension "${id}", which this request does not declare`,
    { requiredCapabilities: { extensions: { [id]: {} } } },
  );
}
