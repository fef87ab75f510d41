import { isObject, type Params } from '../jsonrpc/message.ts';
import { isInEra } from '../protocol/capabilities.ts';
import { checkExtensionId } from '../protocol/extension-id.ts';
import type { MethodFacts, MethodRows } from '../protocol/methods.ts';
import type { Middleware, Operation, Outcome } from './operation.ts';
import { type ScopeRule, type Scopes, scopeRule } from './scopes.ts';
import type { Server } from './server.ts';

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
  /** Runs around everything that the server serves. */
  readonly around?: Middleware;
  /** Called once, with the server that has the extension. */
  readonly install?: (server: Server) => void;
}

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
export type Listen = (wish: unknown, operation: Operation) => Listening | undefined;

/** What one client listens to, as far as the extension grants it. */
export interface Listening {
  /** What of the wish is granted: the client is told. */
  readonly granted: unknown;
  /** True where a notification of the server's is for this client. */
  hears(method: string, params: Params): boolean;
  /** Tells what is so already, right after the client was told what is granted. */
  begin?(tell: (method: string, params: Params) => void): void;
}

/** A request that an extension adds, with what it demands of its callers. */
interface AddedMethod {
  readonly extension: ServerExtension;
  readonly method: ExtensionMethod;
  readonly scopes: ScopeRule | undefined;
}

/** The extensions of one server, by everything that they add. */
export class Extensions {
  readonly all: readonly ServerExtension[];
  /** The facts of the methods and notifications that they add. */
  readonly rows: MethodRows;
  readonly #methods = new Map<string, AddedMethod>();
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
      ...Array.from(this.#methods, ([name, { method }]) => [name, method]),
      ...Array.from(this.#notifications, ([name, { notification }]) => [name, notification]),
    ]);
  }

  /** The extension that a request belongs to, and how it is served. */
  method(name: string): AddedMethod | undefined {
    return this.#methods.get(name);
  }

  /** The extension that a notification belongs to. */
  notification(name: string): { extension: ServerExtension; notification: ExtensionNotification } | undefined {
    return this.#notifications.get(name);
  }

  /** True for the requests and notifications that they add. */
  adds(name: string): boolean {
    return this.#methods.has(name) || this.#notifications.has(name);
  }

  /** True where one of them demands scopes. */
  get scoped(): boolean {
    return Array.from(this.#methods.values()).some(({ scopes }) => scopes !== undefined);
  }

  /** What is told of them in an era; undefined where there is nothing to tell. */
  settingsIn(era: 'handshake' | 'stateless'): Record<string, object> | undefined {
    const told = this.all.filter((extension) => isInEra(extension, era));
    if (told.length === 0) return undefined;
    return Object.fromEntries(told.map(({ id, settings = {} }) => [id, settings]));
  }

  #add(extension: ServerExtension, isTaken: (method: string) => boolean): void {
    const take = (name: string): void => {
      if (isTaken(name) || this.#methods.has(name) || this.#notifications.has(name)) {
        throw new TypeError(`Extension "${extension.id}" adds "${name}", which exists already: choose another name`);
      }
    };
    for (const [name, method] of Object.entries(extension.methods ?? {})) {
      take(name);
      if (typeof method.serve !== 'function') {
        throw new TypeError(`Extension "${extension.id}": "${name}" has no handler: give it a "serve" function`);
      }
      this.#methods.set(name, {
        extension,
        method,
        scopes: scopeRule(`Extension "${extension.id}": "${name}"`, method),
      });
    }
    for (const [name, notification] of Object.entries(extension.notifications ?? {})) {
      take(name);
      this.#notifications.set(name, { extension, notification });
    }
  }
}

function checkExtension({ id, settings }: ServerExtension): void {
  checkExtensionId(id);
  if (settings !== undefined && !isObject(settings)) {
    throw new TypeError(`Extension "${id}": "settings" must be an object; {} where there is nothing to set`);
  }
}
