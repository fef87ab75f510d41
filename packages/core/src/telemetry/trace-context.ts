import { type Context, propagation, type TextMapGetter } from '@opentelemetry/api';
import { isObject, type Params } from '../jsonrpc/message.ts';
import { limits } from '../limits.ts';
import type { Meta } from '../protocol/meta.ts';

const maxLength = limits.telemetry.traceContext.value;

/** Reads what a propagator wants from `_meta`: `traceparent`, `tracestate` and `baggage`, or those of another format. */
const fromMeta: TextMapGetter<Meta> = {
  keys: (meta) => Object.keys(meta),
  get(meta, key) {
    const value = Object.hasOwn(meta, key) ? meta[key] : undefined;
    return typeof value === 'string' && value.length <= maxLength ? value : undefined;
  },
};

/** The context that the other side names in `_meta`, on top of another. */
export function extractContext(params: Params, onto: Context): Context {
  return isObject(params._meta) ? propagation.extract(onto, params._meta, fromMeta) : onto;
}

/** What tells the other side of a context; undefined where there is nothing to tell. */
export function injectContext(context: Context): Meta | undefined {
  const meta: Meta = {};
  propagation.inject(context, meta);
  return Object.keys(meta).length === 0 ? undefined : meta;
}
