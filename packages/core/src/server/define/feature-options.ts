/*
 * What features let authors write: options of a definition, and members of a handler's context. The kernel passes them on
 * and does not look into them: what each means is in the folder of its feature.
 */

/** What features add to the context of a handler. */
export interface ContextFeatures {
  /**
   * Begins the task of a tool with `beginsTask: 'in-handler'`: the request is answered, and the handler goes on. Does nothing
   * where the caller gets no task, and the second time.
   */
  readonly beginTask: () => Promise<void>;
}

/** The same members while their feature has no part in the call: `extendContext` of an operation replaces them. */
export class InactiveFeatures implements ContextFeatures {
  async beginTask(): Promise<void> {}
}

/** How often one caller may call. */
export interface RateLimit {
  /** So many calls within the time of `perMs`. */
  calls: number;
  /** Default: 1000, so that `calls` are those of a second. */
  perMs?: number;
  /** So many at once after a pause. Default: as many as `calls`. */
  burst?: number;
}

/**
 * What a caller must have been granted: all of these, or what a function makes of the arguments, where undefined means that
 * everybody may. An empty list is for everybody who says who they are.
 */
export type Scopes<Args extends readonly unknown[]> =
  | readonly string[]
  | ((...args: Args) => readonly string[] | undefined);

/** Who may call something. */
export interface CallGuard<Args extends readonly unknown[]> {
  /** What a caller must have been granted; a function of the arguments where that depends on them. Default: nothing. */
  readonly scopes?: Scopes<Args>;
}

/** Who may read a resource. */
export interface ResourceGuard {
  /** What a caller must have been granted. Default: nothing. */
  readonly scopes?: readonly string[];
  /** True: it is hidden from a caller who lacks its scopes. Default: false, the error says what is missing. */
  readonly secret?: boolean;
}

/** Who may read the resources of a template. */
export interface TemplateGuard<Args extends readonly unknown[]> {
  /** What a caller must have been granted; a function of the address where that depends on it. Default: nothing. */
  readonly scopes?: Scopes<Args>;
  /** True: they are hidden from a caller who lacks its scopes. Default: false, the error says what is missing. */
  readonly secret?: boolean;
}

/** Whether a call of a tool may run as a task, or must. */
export type TaskSupport = 'optional' | 'required';

interface TaskOptions {
  /**
   * A call runs as a task where its client has tasks: it is answered at once, and the client comes back for the result.
   * `required`: other clients can't call the tool. Needs `tasks()` of `@ccmcp/core/tasks`. Default: never.
   */
  readonly task?: TaskSupport;
  /** When the task begins: before the handler, or when the handler calls `context.beginTask()`. Default: `at-once`. */
  readonly beginsTask?: 'at-once' | 'in-handler';
  /**
   * The handler may run again from its start, with the answers that it got, where the instance that ran it is gone. Default:
   * true of a tool whose annotations say `readOnlyHint` or `idempotentHint`; else the task has failed then.
   */
  readonly runsAgain?: boolean;
  /** For how long a task is kept, from when it begins, in milliseconds. Default: 1 hour. */
  readonly ttlMs?: number;
  /** How often clients are to ask for a task, in milliseconds. Default: 1000. */
  readonly pollMs?: number;
}

/** A page that hosts show with the results of a tool: `appView` of `@ccmcp/core/apps` makes one. */
export interface ToolView {
  readonly uri: string;
}

interface ViewOptions {
  /** The page that hosts show with its results: what `appView` of `@ccmcp/core/apps` makes. Default: none. */
  readonly ui?: ToolView;
  /** Who may call it: the model, views of the same server, or both. A host sees to it. Default: both. */
  readonly visibility?: readonly ('model' | 'app')[];
}

/** What features read of a tool. */
export interface ToolFeatures<Args extends readonly unknown[]> extends CallGuard<Args>, TaskOptions, ViewOptions {
  /** How often one caller may call it. Default: as often as they like. */
  readonly rateLimit?: RateLimit;
}

const guard = ['scopes', 'secret'];

/** The names of these options, by what is defined. */
export const featureOptions = {
  tool: ['rateLimit', 'scopes', 'task', 'beginsTask', 'runsAgain', 'ttlMs', 'pollMs', 'ui', 'visibility'],
  resource: guard,
  template: guard,
  prompt: ['scopes'],
} as const;

const guardWords = { scopes: ['scope', 'requiredScopes', 'securitySchemes'] };

/** What other libraries call them. */
export const featureWords = {
  tool: {
    task: ['taskSupport', 'execution'],
    ttlMs: ['ttl'],
    pollMs: ['pollInterval', 'pollIntervalMs'],
    ...guardWords,
  },
  resource: guardWords,
  template: guardWords,
  prompt: guardWords,
};

/** What to write in place of an option where that has no meaning. */
export const misplaced: Readonly<Record<string, string>> = {
  secret:
    'which is for resources and templates: write lists: "by-scope" for createServer, which shows it to those who may use it',
};

/** The members of a tool that mean something to an extension only: which, and how a server gets it. */
export const claimed: readonly { member: keyof ToolFeatures<[]>; extension: string; remedy: string }[] = [
  { member: 'ui', extension: 'io.modelcontextprotocol/ui', remedy: 'apps() of "@ccmcp/core/apps"' },
  { member: 'visibility', extension: 'io.modelcontextprotocol/ui', remedy: 'apps() of "@ccmcp/core/apps"' },
  { member: 'task', extension: 'io.modelcontextprotocol/tasks', remedy: 'tasks() of "@ccmcp/core/tasks"' },
];
