import type { Auth, Server, ServerOptions } from '@ccmcp/core';
import type { HttpAuth } from '@ccmcp/core/client';
import type { ResultBudgetOptions } from '@ccmcp/core/result-budget';

/** Options of `openApi`. */
export interface OpenApiOptions {
  /** What is offered: operations that match one of these filters. Default: all. */
  include?: OperationFilter | readonly OperationFilter[];
  /** What is not offered: operations that match one of these filters. Default: none. */
  exclude?: OperationFilter | readonly OperationFilter[];
  /**
   * Credentials, by the name of a security scheme of the document; or those of each caller, as a function; or an `HttpAuth`,
   * such as `oauth(…)` of `@ccmcp/core/client`, for all requests. Default: none.
   */
  auth?: Credentials | HttpAuth | CallerCredentials;
  /** Headers of each request, such as a version of the API. */
  headers?: Readonly<Record<string, string>>;
  /** The URL of the API, in place of those in the document. */
  baseUrl?: string | URL;
  /** Values of variables in the URLs of the document, by name. Default: those of the document. */
  serverVariables?: Readonly<Record<string, string>>;
  /**
   * Other documents that references may lead to: URLs of files, or of folders, which end with a slash. Default: none.
   */
  references?: readonly (string | URL)[];
  /** True allows requests to private networks and to this machine, if the document names them. Default: false. */
  privateAddresses?: boolean;
  /** Sends all requests, in place of Node's HTTP; then addresses are not checked. */
  fetch?: typeof fetch;
  /** How long a request may take, its retries included, in milliseconds. Default: 60 000. */
  timeoutMs?: number;
  /** How often an idempotent request is sent again after a lost connection or a 429, 502, 503 or 504. Default: 2. */
  retries?: number;
  /** The maximum length of a response, in bytes: 8 MiB unless it is set. */
  maxResponse?: number;
  /** The maximum length of the document and of those that it refers to, in bytes: 32 MiB unless it is set. */
  maxDocument?: number;
  /** What large results are cut by; false: they are not cut. Default: the defaults of `resultBudget`. */
  resultBudget?: ResultBudgetOptions | false;
  /**
   * Output schemas of tools: `relaxed` ones have types and names alone, since many APIs break the other promises of their documents;
   * `exact` ones have all; `none`. Default: `relaxed`.
   */
  outputSchemas?: 'relaxed' | 'exact' | 'none';
  /** Groups the tools by tag, with the draft extension of groups; experimental. Default: false. */
  groups?: boolean;
  /** Other options of the server: a name, tools of your own, a logger. Default: name and version of the document. */
  server?: Partial<ServerOptions>;
}

/** Matches operations for which all members hold; of the values of one member, any. In texts, `*` matches anything. */
export interface OperationFilter {
  tags?: readonly string[];
  /** Path templates, such as `/pets/*`. */
  paths?: readonly string[];
  /** HTTP methods, such as `get`. */
  methods?: readonly string[];
  /** The `operationId`. */
  operations?: readonly string[];
  /** Whether the operation, its path or the document is marked by `x-mcp`. */
  marked?: boolean;
}

/** A key or a token; a name and a password; or what makes the headers, such as `oauth(…)` of `@ccmcp/core/client`. */
export type Credential = string | { readonly username: string; readonly password: string } | HttpAuth;

/** Credentials by the name of a security scheme in the document. */
export type Credentials = Readonly<Record<string, Credential>>;

/** Returns the credentials of a caller; undefined: none. */
export type CallerCredentials = (
  caller: Auth | undefined,
) => Credentials | HttpAuth | undefined | PromiseLike<Credentials | HttpAuth | undefined>;

/** An API as a server: a part for `compose`, or a complete server. */
export interface OpenApiServer extends Server {
  /** The operations that are offered. */
  readonly operations: readonly OfferedOperation[];
  /** The operations that are not offered because of errors in the document. */
  readonly skipped: readonly SkippedOperation[];
}

/** An operation that is offered as a tool. */
export interface OfferedOperation {
  readonly tool: string;
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
}

/** An operation that can't be offered. */
export interface SkippedOperation {
  /** The JSON pointer of the operation in the document. */
  readonly place: string;
  readonly reason: string;
}
