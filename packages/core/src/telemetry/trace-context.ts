import { type Context, propagation, type TextMapGetter } from '@opentelemetry/api';
import { isObject, type Params } from '../jsonrpc/message.ts';
import { limits } from '../limits.ts';
import type { Meta } from '../protocol/meta.ts';

const maxLength = limits.telemetry.traceContext.value;

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
