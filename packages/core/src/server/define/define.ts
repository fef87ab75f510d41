import type { Annotations, ContentBlock, ResourceContents } from '../../protocol/content.ts';
import type { Described } from '../../protocol/identity.ts';
import type { ResourceListing, ToolAnnotations } from '../../protocol/listing.ts';
import type { CacheHints, CallToolResult, GetPromptResult, PromptMessage } from '../../protocol/results.ts';
import type { InferInput, InferOutput, Schema } from '../../schema/infer.ts';
import type { Context } from '../call/context.ts';
import { rememberDefinitionSite } from './definition-site.ts';
import { assertDefinition, promptKind, resourceKind, templateKind, toolKind } from './migration-hints.ts';
import type { CallGuard, ResourceGuard, TemplateGuard, ToolFeatures } from './feature-options.ts';

type Awaitable<T> = T | PromiseLike<T>;

interface ToolSettings<Args extends readonly unknown[]> extends Described, ToolFeatures<Args> {
  readonly annotations?: ToolAnnotations;
  /** Timeout of a call in milliseconds, or `Infinity`. Default: `handlerTimeoutMs` of the server. */
  readonly timeoutMs?: number;
  /** A suspended call can be resumed only once: a second try is rejected. Default: any number of times. */
  readonly resumeOnce?: boolean;
  /**
   * False: the schemas are only listed, arguments and results are not validated, because another server does it.
   * Default: true.
   */
  readonly checked?: boolean;
  /** The id of an extension; callers without it don't see the tool in lists. Default: all callers see it. */
  readonly listedFor?: string;
}

/** A tool: created by `tool()`, or any object with these members. */
export interface Tool extends ToolSettings<[args: never]> {
  readonly name: string;
  /** The schema of the arguments; without it the tool takes none. */
  readonly input?: Schema;
  /** The schema of the structured result. */
  readonly output?: Schema;
  call(args: never, context: Context): unknown;
}

type ToolArguments<I extends Schema> = [I] extends [never] ? Record<string, never> : InferInput<I>;

/** Options of `tool`. */
export interface ToolOptions<I extends Schema, O extends Schema> extends ToolSettings<[args: ToolArguments<I>]> {
  input?: I;
  output?: O;
}

/**
 * The return value of a tool's handler: text, content, a finished result, or data, which is sent as JSON and structured
 * content.
 */
export type ToolValue = string | number | boolean | null | undefined | object;

/** A finished result of a handler; missing members are filled in. */
export type ToolResult = Omit<Partial<CallToolResult>, 'content'> & { content: ContentBlock[] };

/** Creates a tool. The handler's arguments are typed by `input`, its return value by `output`. */
export function tool<const I extends Schema = never, const O extends Schema = never>(
  name: string,
  options: ToolOptions<I, O>,
  call: (
    args: ToolArguments<I>,
    context: Context,
  ) => Awaitable<[O] extends [never] ? ToolValue | void : InferOutput<O> | ToolResult>,
): Tool {
  assertDefinition(toolKind, name, options, call);
  // Spreading it first would give each tool its own hidden class, and slow down all readers.
  const made = { name, ...options, call };
  // For errors about an invalid result, whose stack no longer contains the handler.
  if (options.output !== undefined) rememberDefinitionSite(made, tool);
  return made;
}

/**
 * The return value of a resource's handler: text, bytes, contents with their own URIs, or data, which is sent as JSON.
 */
export type ResourceValue = string | Uint8Array | ResourceContents | ResourceContents[] | object | undefined;

interface ReadableOptions extends Described {
  mimeType?: string;
  annotations?: Annotations;
  /** Cache hints. Default: those of the server. */
  cache?: CacheHints;
}

/** A resource with a fixed URI. */
export interface Resource extends ResourceOptions {
  readonly uri: string;
  readonly name: string;
  read(uri: string, context: Context): Awaitable<ResourceValue>;
}

/** Options of `resource`. */
export interface ResourceOptions extends ReadableOptions, ResourceGuard {
  /** Default: the URI. */
  name?: string;
  readonly size?: number;
  /** False: it is in no list, but can be read by its URI. Default: true. */
  readonly listed?: boolean;
}

/** Creates a resource. */
export function resource(
  uri: string,
  options: ResourceOptions,
  read: (uri: string, context: Context) => Awaitable<ResourceValue>,
): Resource {
  assertDefinition(resourceKind, uri, options, read);
  return { name: uri, ...options, uri, read };
}

/** Completion values: a list to filter by prefix, or a function of the typed text. */
export type Completer =
  | readonly string[]
  | ((value: string, context: CompletionContext) => Awaitable<readonly string[] | CompletionValues>);

/** Completion values with their total number, if there are more. */
export interface CompletionValues {
  values: readonly string[];
  total?: number;
}

/** The context of a completion. */
export interface CompletionContext {
  /** The arguments that are already filled in. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly call: Context;
}

/** A page of the resources of a template. */
export interface ResourcePage {
  resources: ResourceListing[];
  /** Where the next page starts; absent at the end. */
  next?: string | undefined;
}

type Variables = Record<string, string | string[]>;

/** Resources whose URIs match an RFC 6570 template. */
export interface Template extends TemplateOptions {
  readonly uriTemplate: string;
  readonly name: string;
  read(variables: Variables, context: Context, uri: string): Awaitable<ResourceValue>;
}

/** Options of `template`. */
export interface TemplateOptions extends ReadableOptions, TemplateGuard<[variables: Variables, uri: string]> {
  /** Default: the pattern. */
  name?: string;
  /** Completion of variables, by name. */
  readonly complete?: Readonly<Record<string, Completer>>;
  /** Returns the existing resources, page by page, for `resources/list`. */
  list?(from: string | undefined, context: Context): Awaitable<ResourcePage>;
}

/** Creates a template. Reading gives undefined if there is no such resource. */
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

/** The return value of a prompt's handler: a text of the user, messages, or messages with a description. */
export type PromptValue = string | PromptMessage | PromptMessage[] | GetPromptResult;

/** A prompt that a person can choose. */
export interface Prompt extends Described, CallGuard<[args: never]> {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, PromptArgument>>;
  get(args: never, context: Context): Awaitable<PromptValue>;
}

/** Options of `prompt`. */
export interface PromptOptions<A extends Readonly<Record<string, PromptArgument>>>
  extends Described,
    CallGuard<[args: PromptArguments<A>]> {
  arguments?: A;
}

/** Creates a prompt. The handler's arguments are typed by `arguments`. */
export function prompt<const A extends Readonly<Record<string, PromptArgument>>>(
  name: string,
  options: PromptOptions<A>,
  get: (args: PromptArguments<A>, context: Context) => Awaitable<PromptValue>,
): Prompt {
  assertDefinition(promptKind, name, options, get);
  return { name, ...options, get };
}
