import type { Meter, Tracer } from '@opentelemetry/api';

/** Options of `clientTelemetry`. */
export interface TelemetryOptions {
  /** Default: a tracer of the registered provider. */
  tracer?: Tracer;
  /** Default: a meter of the registered provider. */
  meter?: Meter;
  /**
   * How session ids are recorded. A session id grants access to the session, so the default is a digest, equal on
   * both sides and on all instances.
   */
  sessionId?: 'digest' | 'plain' | 'none';
  /** Records tool arguments and results in spans, as JSON. They may contain sensitive data. Default: false. */
  contents?: boolean;
}

/** Options of `telemetry`. */
export interface ServerTelemetryOptions extends TelemetryOptions {
  /**
   * How to use the trace of a caller: as parent, as a link, or not at all. As parent it also decides about sampling,
   * with a parent-based sampler. Default: `parent`.
   */
  callerTrace?: 'parent' | 'link' | 'ignore';
}

/** Returns the options, or throws if they are invalid. */
export function validateOptions<T extends ServerTelemetryOptions>(options: T): T {
  const { sessionId = 'digest', callerTrace = 'parent' } = options;
  if (!['digest', 'plain', 'none'].includes(sessionId)) {
    throw new TypeError(`telemetry: "sessionId" must be digest, plain or none: ${sessionId}`);
  }
  if (!['parent', 'link', 'ignore'].includes(callerTrace)) {
    throw new TypeError(`telemetry: "callerTrace" must be parent, link or ignore: ${callerTrace}`);
  }
  return options;
}
