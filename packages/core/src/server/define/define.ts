import type { Annotations, ContentBlock, ResourceContents } from '../../protocol/content.ts';
import type { Icon } from '../../protocol/identity.ts';
import type { ResourceListing, ToolAnnotations } from '../../protocol/listing.ts';
import type { Meta } from '../../protocol/meta.ts';
import type { CacheHints, CallToolResult, GetPromptResult, PromptMessage } from '../../protocol/results.ts';
import type { InferInput, InferOutput, Schema } from '../../schema/infer.ts';
import type { Context } from '../call/context.ts';
import { rememberDefinitionSite } from './definition-site.ts';
import { assertDefinition, promptKind, resourceKind, templateKind, toolKind } from './migration-hints.ts';
import type { RateLimit } from '../quotas/rate-limit.ts';
import type { Scopes } from '../scopes/scope-rule.ts';

type Awaitable<T> = T | PromiseLike<T>;

interface Described {
  /** Shown to people instead of the name. */
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: Meta;
}

/** A tool: what `tool()` makes, and equally an object of any class with these members. */
export interface Tool extends Described {
  readonly name: string;
  /** What the arguments must be; without it the tool takes none. */
  readonly input?: Schema;
  /** What a result's structured content is. */
  readonly output?: Schema;
  readonly annotations?: ToolAnnotations;
  /** How long a call may take, in milliseconds, or `Infinity`; `handlerTimeoutMs` of the server where it is not given. */
  readonly timeoutMs?: number;
  /** A call that asked something is resumed once: the answers can't be sent a second time. Default: as often as asked. */
  readonly resumeOnce?: boolean;
  /** How often one caller may call it. */
  readonly rateLimit?: RateLimit;
  /** What a caller must have been granted; a function of the arguments where that depends on them. */
  readonly scopes?: Scopes<[args: never]>;
  /** Whether a call may run as a task, or must; see `ToolOptions`. */
  readonly task?: TaskSupport;
  readonly beginsTask?: 'at-once' | 'in-handler';
  readonly runsAgain?: boolean;
  readonly ttlMs?: number;
  readonly pollMs?: number;
  /** The page that hosts show with its results. */
  readonly ui?: ToolView;
  /** Who may call it: the model, views of the same server, or both. */
  readonly visibility?: readonly ('model' | 'app')[];
  /** The extension, by its id, without which a caller does not see it in lists. */
  readonly listedFor?: string;
  call(args: never, context: Context): unknown;
}

/** Whether a call of a tool may run as a task, or must. */
export type TaskSupport = 'optional' | 'required';

/** A page that hosts show with the results of a tool: `appView` of `@ccmcp/core/apps` makes one. */
export interface ToolView {
  readonly uri: string;
}

type ToolArguments<I extends Schema> = [I] extends [never] ? Record<string, never> : InferInput<I>;

/** What `tool` takes beside the name and the handler. */
export interface ToolOptions<I extends Schema, O extends Schema> extends Described {
  input?: I;
  output?: O;
  annotations?: ToolAnnotations;
  /** How long a call may take, in milliseconds, or `Infinity`; `handlerTimeoutMs` of the server where it is not given. */
  timeoutMs?: number;
  /** A call that asked something is resumed once: the answers can't be sent a second time. Default: as often as asked. */
  resumeOnce?: boolean;
  /** How often one caller may call it. Default: as often as they like. */
  rateLimit?: RateLimit;
  /** What a caller must have been granted; a function of the arguments where that depends on them. Default: nothing. */
  scopes?: Scopes<[args: ToolArguments<I>]>;
  /**
   * A call runs as a task where its client has tasks: it is answered at once, and the client comes back for the result.
   * `required`: other clients can't call the tool. Needs `tasks()` of `@ccmcp/core/tasks`. Default: never.
   */
  task?: TaskSupport;
  /** When the task begins: before the handler, or when the handler calls `context.beginTask()`. Default: `at-once`. */
  beginsTask?: 'at-once' | 'in-handler';
  /**
   * The handler may run again from its start, with the answers that it got, where the instance that ran it is gone. Default:
   * true of a tool whose annotations say `readOnlyHint` or `idempotentHint`; else the task has failed then.
   */
  runsAgain?: boolean;
  /** For how long a task is kept, from when it begins, in milliseconds. Default: 1 hour. */
  ttlMs?: number;
  /** How often clients are to ask for a task, in milliseconds. Default: 1000. */
  pollMs?: number;
  /** The page that hosts show with its results: what `appView` of `@ccmcp/core/apps` makes. Default: none. */
  ui?: ToolView;
  /** Who may call it: the model, views of the same server, or both. A host sees to it. Default: both. */
  visibility?: readonly ('model' | 'app')[];
  /** The extension, by its id, without which a caller does not see it in lists. Default: everybody sees it. */
  listedFor?: string;
}

/** What a handler may return: text, content, a finished result, or data, which is sent as JSON and structured content. */
export type ToolValue = string | number | boolean | null | undefined | object;

/** A finished result, as a handler may return it: whatever is left out is filled in. */
export type ToolResult = Omit<Partial<CallToolResult>, 'content'> & { content: ContentBlock[] };

/** Makes a tool. The handler's arguments are typed by `input`, its return value by `output`. */
export function tool<const I extends Schema = never, const O extends Schema = never>(
  name: string,
  options: ToolOptions<I, O>,
  call: (
    args: ToolArguments<I>,
    context: Context,
  ) => Awaitable<[O] extends [never] ? ToolValue | void : InferOutput<O> | ToolResult>,
): Tool {
  assertDefinition(toolKind, name, options, call);
  // Spread as the first member would give each tool a hidden class of its own, and whatever reads tools would be slow.
  const made = { name, ...options, call };
  // Where a result breaks the promise of its schema, no stack leads to the handler any more.
  if (options.output !== undefined) rememberDefinitionSite(made, tool);
  return made;
}

/** What a resource may be read as: text, bytes, contents with their own addresses, or data, which is sent as JSON. */
export type ResourceValue = string | Uint8Array | ResourceContents | ResourceContents[] | object | undefined;

interface ReadableOptions extends Described {
  mimeType?: string;
  annotations?: Annotations;
  /** How long an answer may be kept; the server's own hints where this is not given. */
  cache?: CacheHints;
}

/** Something with an address of its own that a client can read. */
export interface Resource extends ReadableOptions {
  readonly uri: string;
  readonly name: string;
  readonly size?: number;
  /** False: it can be read by whoever knows its address, and is in no list. Default: true. */
  readonly listed?: boolean;
  /** What a caller must have been granted. */
  readonly scopes?: readonly string[];
  /** True: to a caller who lacks its scopes it is not there. Default: false, such a caller is told what is missing. */
  readonly secret?: boolean;
  read(uri: string, context: Context): Awaitable<ResourceValue>;
}

/** What `resource` takes beside the address and the handler. */
export interface ResourceOptions extends ReadableOptions {
  /** Default: the address. */
  name?: string;
  size?: number;
  /** False: it can be read by whoever knows its address, and is in no list. Default: true. */
  listed?: boolean;
  /** What a caller must have been granted. Default: nothing. */
  scopes?: readonly string[];
  /** True: to a caller who lacks its scopes it is not there. Default: false, such a caller is told what is missing. */
  secret?: boolean;
}

/** Makes a resource. */
export function resource(
  uri: string,
  options: ResourceOptions,
  read: (uri: string, context: Context) => Awaitable<ResourceValue>,
): Resource {
  assertDefinition(resourceKind, uri, options, read);
  return { name: uri, ...options, uri, read };
}

/** Values offered while a person types: a list to choose from by prefix, or a function of what was typed so far. */
export type Completer =
  | readonly string[]
  | ((value: string, context: CompletionContext) => Awaitable<readonly string[] | CompletionValues>);

/** Values with the number there are in all, where more exist than are given. */
export interface CompletionValues {
  values: readonly string[];
  total?: number;
}

/** What a completer knows beside the text that was typed. */
export interface CompletionContext {
  /** What is already filled in beside the argument being completed. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly call: Context;
}

/** A page of the resources that stand behind a template. */
export interface ResourcePage {
  resources: ResourceListing[];
  /** Where the next page starts; absent at the end. */
  next?: string | undefined;
}

type Variables = Record<string, string | string[]>;

/** Resources whose addresses follow an RFC 6570 pattern. */
export interface Template extends ReadableOptions {
  readonly uriTemplate: string;
  readonly name: string;
  readonly complete?: Readonly<Record<string, Completer>>;
  /** What a caller must have been granted; a function of the address where that depends on it. */
  readonly scopes?: Scopes<[variables: Variables, uri: string]>;
  /** True: to a caller who lacks its scopes nothing is there. Default: false, such a caller is told what is missing. */
  readonly secret?: boolean;
  read(variables: Variables, context: Context, uri: string): Awaitable<ResourceValue>;
  list?(from: string | undefined, context: Context): Awaitable<ResourcePage>;
}

/** What `template` takes beside the pattern and the handler. */
export interface TemplateOptions extends ReadableOptions {
  /** Default: the pattern. */
  name?: string;
  /** Completion of variables, by name. */
  complete?: Readonly<Record<string, Completer>>;
  /** Gives the existing resources, page by page, for `resources/list`. */
  list?: (from: string | undefined, context: Context) => Awaitable<ResourcePage>;
  /** What a caller must have been granted; a function of the address where that depends on it. Default: nothing. */
  scopes?: Scopes<[variables: Variables, uri: string]>;
  /** True: to a caller who lacks its scopes nothing is there. Default: false, such a caller is told what is missing. */
  secret?: boolean;
}

/** Makes a template. Reading gives undefined where there is no such resource. */
export function template(uriTemplate: string, options: TemplateOptions, read: Template['read']): Template {
  assertDefinition(templateKind, uriTemplate, options, read);
  return { name: uriTemplate, ...options, uriTemplate, read };
}

/** An argument of a prompt. Its value is a text. */
export interface PromptArgument {
  title?: string;
  description?: string;
  required?: boolean;
  complete?: Completer;
  /** No schema: a value is always a text. */
  '~standard'?: never;
}

type PromptArguments<A> = { [K in keyof A as A[K] extends { required: true } ? K : never]: string } & {
  [K in keyof A as A[K] extends { required: true } ? never : K]?: string;
};

/** What a prompt may be: a text of the user, messages, or messages with a description. */
export type PromptValue = string | PromptMessage | PromptMessage[] | GetPromptResult;

/** A prompt that a person can choose. */
export interface Prompt extends Described {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, PromptArgument>>;
  /** What a caller must have been granted; a function of the arguments where that depends on them. */
  readonly scopes?: Scopes<[args: never]>;
  get(args: never, context: Context): Awaitable<PromptValue>;
}

/** What `prompt` takes beside the name and the handler. */
export interface PromptOptions<A extends Readonly<Record<string, PromptArgument>>> extends Described {
  arguments?: A;
  /** What a caller must have been granted; a function of the arguments where that depends on them. Default: nothing. */
  scopes?: Scopes<[args: PromptArguments<A>]>;
}

/** Makes a prompt. The handler's arguments are typed by `arguments`. */
export function prompt<const A extends Readonly<Record<string, PromptArgument>>>(
  name: string,
  options: PromptOptions<A>,
  get: (args: PromptArguments<A>, context: Context) => Awaitable<PromptValue>,
): Prompt {
  assertDefinition(promptKind, name, options, get);
  return { name, ...options, get };
}
