/*
 * Options of features in definitions, and members of features in a handler's context. The kernel passes them on without
 * reading them; the folder of each feature documents them.
 */

/** Members that features add to a handler's context. */
export interface ContextFeatures {
  /**
   * Starts the task of a tool with `beginsTask: 'in-handler'`: the request is answered, and the handler continues. No
   * effect if the caller gets no task, or on a second call.
   */
  readonly beginTask: () => Promise<void>;
}

/** Their defaults while the feature is inactive in a call: `extendContext` of an operation replaces them. */
export class InactiveFeatures implements ContextFeatures {
  async beginTask(): Promise<void> {}
}

/** A rate limit per caller. */
export interface RateLimit {
  /** Number of calls per `perMs`. */
  calls: number;
  /** The period in milliseconds. Default: 1000, a second. */
  perMs?: number;
  /** Calls allowed in a burst after a pause. Default: `calls`. */
  burst?: number;
}

/**
 * The scopes that a caller needs: all of a list, or the result of a function of the arguments, where undefined means no
 * restriction. An empty list requires authentication only.
 */
export type Scopes<Args extends readonly unknown[]> =
  | readonly string[]
  | ((...args: Args) => readonly string[] | undefined);

/** Access options of tools and prompts. */
export interface CallGuard<Args extends readonly unknown[]> {
  /** The scopes that a caller needs, or a function of the arguments. Default: none. */
  readonly scopes?: Scopes<Args>;
}

/** Access options of a resource. */
export interface ResourceGuard {
  /** The scopes that a caller needs. Default: none. */
  readonly scopes?: readonly string[];
  /** True: hidden from callers who lack its scopes. Default: false, the error names the missing scopes. */
  readonly secret?: boolean;
}

/** Access options of a template. */
export interface TemplateGuard<Args extends readonly unknown[]> {
  /** The scopes that a caller needs, or a function of the URI. Default: none. */
  readonly scopes?: Scopes<Args>;
  /** True: hidden from callers who lack its scopes. Default: false, the error names the missing scopes. */
  readonly secret?: boolean;
}

/** Whether calls of a tool may run as tasks, or must. */
export type TaskSupport = 'optional' | 'required';

interface TaskOptions {
  /**
   * Runs calls as tasks for clients that support tasks: the request is answered immediately, and the client fetches the
   * result later. `required`: other clients can't call the tool. Needs `tasks()` of `@ccmcp/core/tasks`. Default:
   * never.
   */
  readonly task?: TaskSupport;
  /** When the task begins: before the handler, or when the handler calls `context.beginTask()`. Default: `at-once`. */
  readonly beginsTask?: 'at-once' | 'in-handler';
  /**
   * Whether the handler may run again from its start, with the answers it got, if its instance dies. Default: true for
   * tools with `readOnlyHint` or `idempotentHint`; other tasks fail.
   */
  readonly runsAgain?: boolean;
  /** How long a task and its result are stored, from its start, in milliseconds. Default: 1 hour. */
  readonly ttlMs?: number;
  /** Suggested poll interval of clients in milliseconds. Default: 1000. */
  readonly pollMs?: number;
}

/** A page that hosts show with the results of a tool: `appView` of `@ccmcp/core/apps` makes one. */
export interface ToolView {
  readonly uri: string;
}

interface ViewOptions {
  /** The view that hosts show with its results, created by `appView` of `@ccmcp/core/apps`. Default: none. */
  readonly ui?: ToolView;
  /** The allowed callers: the model, views of the same server, or both. Hosts enforce it. Default: both. */
  readonly visibility?: readonly ('model' | 'app')[];
}

/** The properties of a tool that features read. */
export interface ToolFeatures<Args extends readonly unknown[]> extends CallGuard<Args>, TaskOptions, ViewOptions {
  /** Rate limit per caller. Default: unlimited. */
  readonly rateLimit?: RateLimit;
}

const guard = ['scopes', 'secret'];

/** The names of these options, by kind of definition. */
export const featureOptions = {
  tool: ['rateLimit', 'scopes', 'task', 'beginsTask', 'runsAgain', 'ttlMs', 'pollMs', 'ui', 'visibility'],
  resource: guard,
  template: guard,
  prompt: ['scopes'],
} as const;

const guardWords = { scopes: ['scope', 'requiredScopes', 'securitySchemes'] };

/** Names of these options in other libraries. */
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

/** The hint for an option that has no effect on this kind of definition. */
export const misplacedOptions: Readonly<Record<string, string>> = {
  secret:
    'which is for resources and templates: write lists: "by-scope" for createServer, which shows it to those who may use it',
};

/** Options of a tool that require an extension, and how to add it. */
export const extensionOptions: readonly { member: keyof ToolFeatures<[]>; extension: string; remedy: string }[] = [
  { member: 'ui', extension: 'io.modelcontextprotocol/ui', remedy: 'apps() of "@ccmcp/core/apps"' },
  { member: 'visibility', extension: 'io.modelcontextprotocol/ui', remedy: 'apps() of "@ccmcp/core/apps"' },
  { member: 'task', extension: 'io.modelcontextprotocol/tasks', remedy: 'tasks() of "@ccmcp/core/tasks"' },
];
