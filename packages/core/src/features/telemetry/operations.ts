import {
  type Attributes,
  type Context,
  type Histogram,
  type Link,
  type Meter,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import { ownIdentity } from '../../protocol/identity.ts';
import type { Meta } from '../../protocol/meta.ts';
import { isMethodName } from '../../revisions/history.ts';
import { type Target, targetOf, truncate } from './attributes.ts';
import type { TelemetryOptions } from './options.ts';

/** The start of an operation: a request sent or received. */
export interface OperationStart {
  readonly method: string;
  readonly params: Params;
  /** Span-only attributes. */
  readonly attributes: Attributes;
  /** Attributes of the span and the metrics. */
  readonly shared: Attributes;
  readonly parent: Context;
  readonly links?: Link[];
}

/** How an operation ended. */
export interface OperationEnd {
  readonly durationMs: number;
  readonly revision: string | undefined;
  /** True if the request succeeded, so the names in it exist. */
  readonly answered: boolean;
  readonly failure?: Failure | undefined;
  readonly attributes?: Attributes;
}

/** The failure of an operation. */
export interface Failure {
  readonly type: string;
  /** The code of the JSON-RPC error. */
  readonly code?: number;
  readonly message?: string;
}

/** A running operation. */
export interface RunningOperation {
  /** The context with its span as parent. */
  readonly context: Context;
  end(ending: OperationEnd): void;
}

/** Whether this side sends or receives the requests. */
export type Role = 'sender' | 'receiver';

const instruments = {
  sender: { kind: SpanKind.CLIENT, duration: 'mcp.client.operation.duration' },
  receiver: { kind: SpanKind.SERVER, duration: 'mcp.server.operation.duration' },
};

/** Bucket boundaries of the conventions, in seconds. */
const boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

const scope = '@ccmcp/core';

/** Creates spans and metrics of operations, by the OpenTelemetry semantic conventions for MCP. */
export class Operations {
  readonly #names = new KnownNames();
  readonly #histograms = new Map<string, Histogram>();
  readonly #options: TelemetryOptions;
  #tracer: Tracer | undefined;
  #meter: Meter | undefined;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#tracer = options.tracer;
    this.#meter = options.meter;
  }

  /** Begins the span of an operation. */
  begin(role: Role, { method, params, attributes, shared, parent, links = [] }: OperationStart): RunningOperation {
    // Resolved with the first request, so that the provider may be registered after this observer.
    this.#tracer ??= trace.getTracer(scope, ownIdentity.version);
    const target = targetOf(method, params);
    const all: Attributes = {
      ...shared,
      ...attributes,
      'mcp.method.name': truncate(method),
      ...(target !== undefined && { [target.attribute]: target.name }),
      ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
    };
    const options = { kind: instruments[role].kind, attributes: all, links };
    const span = this.#tracer.startSpan(this.#spanName(method, target), options, parent);
    const context = trace.setSpan(parent, span);
    const end = (ending: OperationEnd): void => {
      if (ending.answered) this.#learn(method, target);
      if (span.isRecording()) span.updateName(this.#spanName(method, target));
      finish(span, ending);
      this.#record(instruments[role].duration, ending, this.#metricAttributes(method, target, shared, ending), context);
    };
    return { context, end };
  }

  /** Measures how long a client was connected. */
  sessionEnded(durationMs: number, attributes: Attributes, parent: Context): void {
    this.#histogram('mcp.client.session.duration').record(durationMs / 1000, attributes, parent);
  }

  #learn(method: string, target: Target | undefined): void {
    if (!isMethodName(method)) this.#names.learn('method', method);
    if (target !== undefined) this.#names.learn(target.attribute, target.name);
  }

  #spanName(method: string, target: Target | undefined): string {
    const name = this.#methodName(method);
    return target !== undefined && this.#names.has(target.attribute, target.name) ? `${name} ${target.name}` : name;
  }

  #methodName(method: string): string {
    return isMethodName(method) || this.#names.has('method', method) ? method : otherName;
  }

  #metricAttributes(method: string, target: Target | undefined, shared: Attributes, ending: OperationEnd): Attributes {
    const { revision, failure } = ending;
    const isKnown = target !== undefined && this.#names.has(target.attribute, target.name);
    return {
      ...shared,
      'mcp.method.name': this.#methodName(method),
      ...(isKnown && { [target.attribute]: target.name }),
      ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
      ...(revision !== undefined && { 'mcp.protocol.version': revision }),
      ...(failure !== undefined && failureAttributes(failure, { bounded: true })),
    };
  }

  #record(name: string, { durationMs }: OperationEnd, attributes: Attributes, context: Context): void {
    this.#histogram(name).record(durationMs / 1000, attributes, context);
  }

  #histogram(name: string): Histogram {
    const known = this.#histograms.get(name);
    if (known !== undefined) return known;
    this.#meter ??= this.#options.meter ?? metrics.getMeter(scope, ownIdentity.version);
    const made = this.#meter.createHistogram(name, { unit: 's', advice: { explicitBucketBoundaries: boundaries } });
    this.#histograms.set(name, made);
    return made;
  }
}

function finish(span: Span, { revision, failure, attributes }: OperationEnd): void {
  if (span.isRecording()) {
    if (revision !== undefined) span.setAttribute('mcp.protocol.version', revision);
    if (attributes !== undefined) span.setAttributes(attributes);
    if (failure !== undefined) {
      const { message } = failure;
      span.setAttributes(failureAttributes(failure, { bounded: false }));
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message: truncate(message) }) });
    }
  }
  span.end();
}

/** Metrics only contain the codes reserved by JSON-RPC: tools may use any other. */
function failureAttributes({ type, code }: Failure, { bounded }: { bounded: boolean }): Attributes {
  if (code === undefined) return { 'error.type': type };
  const shown = bounded && (code > -32_000 || code < -32_768) ? otherName : String(code);
  return { 'error.type': shown, 'rpc.response.status_code': shown };
}

/** The maximum methods, tools and prompts that metrics distinguish. */
const maxNames = 1000;

/** The replacement for unknown names. */
const otherName = '_OTHER';

/**
 * Remembers which names exist, to bound the cardinality of metrics and span names: a client could make up any number. A
 * name exists if a request with it succeeded.
 */
class KnownNames {
  readonly #names = new Set<string>();

  has(kind: string, name: string): boolean {
    return this.#names.has(`${kind} ${name}`);
  }

  /** Adds a name, up to a limit; returns whether it is known now. */
  learn(kind: string, name: string): boolean {
    const key = `${kind} ${name}`;
    if (this.#names.size < maxNames) this.#names.add(key);
    return this.#names.has(key);
  }
}

/** The maximum length of a trace member of `_meta`, in characters. */
const maxLength = 8192;

/** Lets a propagator read `_meta`: `traceparent`, `tracestate`, `baggage`, or those of another format. */
const fromMeta: TextMapGetter<Meta> = {
  keys: (meta) => Object.keys(meta),
  get(meta, key) {
    const value = Object.hasOwn(meta, key) ? meta[key] : undefined;
    return typeof value === 'string' && value.length <= maxLength ? value : undefined;
  },
};

/** Extracts the peer's trace context from `_meta`. */
export function extractContext(params: Params, onto: Context): Context {
  return isObject(params._meta) ? propagation.extract(onto, params._meta, fromMeta) : onto;
}

/** Injects a trace context into `_meta`; undefined if there is none. */
export function injectContext(context: Context): Meta | undefined {
  const meta: Meta = {};
  propagation.inject(context, meta);
  return Object.keys(meta).length === 0 ? undefined : meta;
}
