import type { Meter, Tracer } from '@opentelemetry/api';

/** How requests become spans and measurements. */
export interface TelemetryOptions {
  /** Makes the spans. Default: that of the tracer provider which the program has registered. */
  tracer?: Tracer;
  /** Makes the histograms. Default: that of the meter provider which the program has registered. */
  meter?: Meter;
  /**
   * How sessions are named. The id of a session lets whoever knows it into the session, so by default it is a digest, which is
   * the same for the same session, on both sides and on all instances.
   */
  sessionId?: 'digest' | 'plain' | 'none';
  /** True: spans have the arguments of tools, and what these gave, as JSON. They may hold anything. Default: false. */
  contents?: boolean;
}

/** The same for a server. */
export interface ServerTelemetryOptions extends TelemetryOptions {
  /**
   * What the trace that a caller names is to the spans here: their parent, a link, or nothing. A caller who is the parent
   * decides also whether there is a trace at all, where the sampler goes by it. Default: `parent`.
   */
  callerTrace?: 'parent' | 'link' | 'ignore';
}

/** The options, or what is wrong with them. */
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
