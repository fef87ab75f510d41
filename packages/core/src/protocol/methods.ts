/** What is true of a method or notification, for whoever sends, carries or serves it. */
export interface MethodFacts {
  /** What a server must offer; without it the method does not exist there. */
  readonly needs?: 'tools' | 'resources' | 'prompts' | 'completions' | 'subscriptions' | 'logging';
  /** What its params name: of several servers joined into one, the one that offers this serves the request. */
  readonly belongsTo?: 'tool' | 'prompt' | 'resource' | 'reference';
  /** The member of its params that the header `Mcp-Name` repeats. */
  readonly mirrors?: string;
  /** Headers repeat those of its arguments that the tool's schema marks. */
  readonly mirrorsArguments?: boolean;
  /** Its result says how long it may be kept. */
  readonly caches?: boolean;
  /** It changes what is known of a session, so that must be kept afterwards. */
  readonly changesSession?: boolean;
  /** It lasts until one side ends it, and tells things meanwhile. */
  readonly stands?: boolean;
  /** It waits for what is done elsewhere, however long that takes: the time limit of handlers is not for it. */
  readonly waits?: boolean;
  /** It may take long, so a client asks for progress. */
  readonly takesLong?: boolean;
  /** It is served also where too many requests are running. */
  readonly urgent?: boolean;
  /** It may be lost where its reader is behind. */
  readonly droppable?: boolean;
  /** Served twice, it has the effect of once: a client may send it again where it can't know whether it arrived. */
  readonly repeatable?: boolean;
}

/** Facts by the name of the method. */
export type MethodRows = Readonly<Record<string, MethodFacts>>;

/** The methods of the protocol itself. One without a row has nothing special about it. */
export const protocolMethods: MethodRows = {
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
  'subscriptions/listen': { stands: true, repeatable: true },
  'notifications/progress': { droppable: true, repeatable: true },
  'notifications/message': { droppable: true, repeatable: true },
  'notifications/initialized': { repeatable: true },
  'notifications/cancelled': { repeatable: true },
  'notifications/roots/list_changed': { repeatable: true },
};

const nothingSpecial: MethodFacts = {};

/** The facts of all methods that one side knows: those of the protocol, and those that its extensions add. */
export class MethodTable {
  readonly #rows: Map<string, MethodFacts>;

  constructor(...added: readonly MethodRows[]) {
    this.#rows = new Map([protocolMethods, ...added].flatMap((rows) => Object.entries(rows)));
  }

  /** What is known of a method. */
  of(method: string): MethodFacts {
    return this.#rows.get(method) ?? nothingSpecial;
  }
}
