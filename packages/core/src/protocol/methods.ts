/** Properties of a method or notification. */
export interface MethodFacts {
  /** The feature a server must offer for the method to exist. */
  readonly needs?: 'tools' | 'resources' | 'prompts' | 'completions' | 'subscriptions' | 'logging';
  /** The kind of item its params name: a gateway routes the request to the server that offers it. */
  readonly belongsTo?: 'tool' | 'prompt' | 'resource' | 'reference';
  /** The member of its params that the header `Mcp-Name` mirrors. */
  readonly mirrors?: string;
  /** Headers mirror the arguments that the tool's schema marks. */
  readonly mirrorsArguments?: boolean;
  /** The member of its result whose list `tools` has definitions that clients can call. */
  readonly listsTools?: string;
  /** Its result carries cache hints. */
  readonly caches?: boolean;
  /** It changes the session, which must be saved afterwards. */
  readonly changesSession?: boolean;
  /** Long-lived: a stream of notifications until one side ends it. */
  readonly longLived?: boolean;
  /** It waits for other work, so the handler timeout does not apply. */
  readonly waits?: boolean;
  /** It may take long, so clients request progress. */
  readonly takesLong?: boolean;
  /** It is served even if too many requests are running. */
  readonly urgent?: boolean;
  /** It may be dropped for a slow consumer. */
  readonly droppable?: boolean;
  /** Safe to send twice: a client may resend it if it can't know whether it arrived. */
  readonly repeatable?: boolean;
}

/** Method properties by name. */
export type MethodRows = Readonly<Record<string, MethodFacts>>;

let rows: MethodRows | undefined;

/** The methods of the protocol. A method without a row has no special properties. Made when needed: a handshake needs none. */
export function protocolMethods(): MethodRows {
  rows ??= createRows();
  return rows;
}

const createRows = (): MethodRows => ({
  initialize: { repeatable: true },
  ping: { urgent: true, repeatable: true },
  'server/discover': { caches: true, repeatable: true },
  'tools/list': { needs: 'tools', caches: true, repeatable: true },
  'tools/call': { needs: 'tools', belongsTo: 'tool', mirrors: 'name', mirrorsArguments: true, takesLong: true },
  'resources/list': { needs: 'resources', caches: true, repeatable: true },
  'resources/templates/list': { needs: 'resources', caches: true, repeatable: true },
  'resources/read': { needs: 'resources', belongsTo: 'resource', mirrors: 'uri', caches: true, repeatable: true },
  'resources/subscribe': { needs: 'subscriptions', belongsTo: 'resource', changesSession: true, repeatable: true },
  'resources/unsubscribe': { needs: 'subscriptions', changesSession: true, repeatable: true },
  'prompts/list': { needs: 'prompts', caches: true, repeatable: true },
  'prompts/get': { needs: 'prompts', belongsTo: 'prompt', mirrors: 'name', repeatable: true },
  'completion/complete': { needs: 'completions', belongsTo: 'reference', repeatable: true },
  'logging/setLevel': { needs: 'logging', changesSession: true, repeatable: true },
  'subscriptions/listen': { longLived: true, repeatable: true },
  'notifications/progress': { droppable: true, repeatable: true },
  'notifications/message': { droppable: true, repeatable: true },
  'notifications/initialized': { repeatable: true },
  'notifications/cancelled': { repeatable: true },
  'notifications/roots/list_changed': { repeatable: true },
});

const nothingSpecial: MethodFacts = {};

/** The properties of all methods a peer knows: those of the protocol and of its extensions. */
export class MethodTable {
  readonly #added: readonly MethodRows[];
  #rows: Map<string, MethodFacts> | undefined;

  constructor(...added: readonly MethodRows[]) {
    this.#added = added;
  }

  /** The properties of a method. */
  of(method: string): MethodFacts {
    this.#rows ??= new Map([protocolMethods(), ...this.#added].flatMap((rows) => Object.entries(rows)));
    return this.#rows.get(method) ?? nothingSpecial;
  }
}
