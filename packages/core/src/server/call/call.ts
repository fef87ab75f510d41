import { ProtocolError, quoteBriefly } from '../../jsonrpc/errors.ts';
import {
  type Notification,
  type Params,
  PreparedResult,
  type Request,
  type RequestId,
  type Response,
} from '../../jsonrpc/message.ts';
import { type CacheHints, privateCache, type Result } from '../../protocol/results.ts';
import type { Caller, Downgrades, Revision } from '../../revisions/revision.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Job } from './background-job.ts';
import type { EngineState } from '../engine-state.ts';
import { Execution } from './execution.ts';
import { Inquiry } from './inquiry.ts';
import type { Peer } from '../peer.ts';
import type { Operation, Outcome } from './operation.ts';
import type { Requirement } from '../define/access-rule.ts';
import type { ToolEntry } from '../define/tool-entry.ts';

const noParams: Params = Object.freeze({});

/** How one method of the protocol is served. */
export interface Method {
  /** Loads modules that the method needs; undefined if they are loaded. Not called once the validator is loaded. */
  prepare?(call: Call): Promise<void> | undefined;
  /** The access requirement of a call before its arguments are validated. */
  requirement?(call: Call): Requirement | undefined;
  /** The full requirement of a call with these arguments; undefined if they are invalid. */
  fullRequirement?(call: Call): Awaitable<Requirement | undefined>;
  run(call: Call): Outcome | Promise<Outcome>;
}

/**
 * One request or notification: its caller, its method and its response. Handlers see it as an `OperationContext`; a
 * running handler has an `Execution`.
 */
export class Call {
  /** The request's id; a notification has none. */
  readonly requestId: RequestId | undefined;
  /** The method of the protocol that serves it. */
  served: Method | undefined;
  /** The sender of the message and its revision. Set by the step that identifies the caller. */
  caller!: Caller;
  /** The tool being called. */
  tool: ToolEntry | undefined;
  /** The access requirements found so far. */
  declare requirement: Requirement | undefined;
  /** Cache hints of the result, if they are not those of the server. */
  declare cache: CacheHints | undefined;
  /** True once the request is answered or cancelled. */
  done = false;
  /** The background job that the handler continues as, after an early response. */
  declare job: Job | undefined;
  /** Created lazily by `contextOf`. */
  context: Operation | undefined;
  /** The request of the client, if middleware serves this one within it. */
  declare outer: Call | undefined;
  #execution: Execution | undefined;
  /** The questions of the call, if anything was asked. */
  declare openInquiry: Inquiry | undefined;

  /** The server that serves the call: the host, or the member of a composed server that the call was passed to. */
  server: EngineState;
  readonly method: string;
  /** The params as `server` sees them. */
  params: Params;

  constructor(
    /** The server that received the message, and in whose name it is answered. */
    readonly host: EngineState,
    /** The message as it was received. */
    public received: Request | Notification,
    public peer: Peer,
    /** The request that it is served within, by middleware. It is cancelled with that one, and asks through it. */
    outer?: Call,
  ) {
    this.requestId = (received as Request).id;
    this.server = host;
    this.method = received.method;
    this.params = received.params ?? noParams;
    if (outer !== undefined) {
      this.outer = outer;
      this.openInquiry = outer.inquiry;
      this.#execution = outer.execution;
    }
  }

  get revision(): Revision {
    return this.caller.revision;
  }

  /** The running handler. Created lazily: a synchronous handler has none. */
  get execution(): Execution {
    this.#execution ??= new Execution(this);
    return this.#execution;
  }

  /** The questions of the call. */
  get inquiry(): Inquiry {
    this.openInquiry ??= new Inquiry();
    return this.openInquiry;
  }

  /** True once neither the client nor a background job waits for the handler. */
  get isOver(): boolean {
    return this.#execution === undefined ? this.done : this.#execution.done;
  }

  /** The name of the request in messages, such as `Tool "find"`. */
  get subject(): string {
    const { belongsTo = '', mirrors = '' } = this.host.methods.of(this.method);
    const name = this.received.params?.[mirrors];
    if (typeof name !== 'string') return this.method;
    return `${belongsTo.charAt(0).toUpperCase()}${belongsTo.slice(1)} ${quoteBriefly(name)}`;
  }

  /** Keeps only a part of the message, since the call may last for days. */
  shrink(message: Request | Notification): void {
    this.received = message;
    this.params = message.params ?? noParams;
  }

  /** Marks the result as private, so that shared caches don't store it. */
  keepPrivate(): void {
    const { ttlMs } = this.cache ?? this.server.settings.cache;
    this.cache = privateCache(ttlMs);
  }

  /** The response with a result. */
  respond(outcome: Outcome): Response {
    const { job, host, requestId } = this;
    host.warmUp?.();
    if (job === undefined) this.done = true;
    // The outcome of a job is stored as it is, and downgraded for each reader.
    const isFinal = job !== undefined || outcome instanceof PreparedResult;
    return { jsonrpc: '2.0', id: requestId as RequestId, result: isFinal ? outcome : this.finalizeResult(outcome) };
  }

  /** A result as it goes over the wire to a client of this caller's revision. */
  finalizeResult(result: Result): Result {
    const { host, server, method, tool } = this;
    const { revision } = this.caller;
    const downgrade = revision.downgrade[method as keyof Downgrades] as
      | ((result: Result, about: object) => Result)
      | undefined;
    const adapted =
      downgrade === undefined
        ? result
        : downgrade(result, tool?.row ?? tool?.listing ?? this.#replacedTool() ?? noParams);
    if (revision.addEraFields === undefined) return adapted;
    return revision.addEraFields(adapted, {
      caches: host.methods.of(method).caches === true,
      serverMeta: host.meta,
      cache: this.cache ?? server.settings.cache,
    });
  }

  /** The list entry of a tool that middleware answered for. */
  #replacedTool(): object | undefined {
    const { method, server, params } = this;
    return method === 'tools/call' ? server.catalog.tools.entries.get(params.name as string)?.listing : undefined;
  }

  /** The error response. Internal errors are logged, and hidden from model and client. */
  fail(error: unknown): Response {
    const { method, job } = this;
    if (job === undefined) this.done = true;
    const denied = error instanceof ProtocolError ? this.host.access.denied(this, error) : undefined;
    if (denied?.result !== undefined) return this.respond(denied.result);
    const revision = job === undefined ? this.caller?.revision : undefined;
    return this.host.errorResponse(this.requestId as RequestId, denied?.error ?? error, { method, revision });
  }
}
