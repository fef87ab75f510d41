import type { ServeCommand } from './serve-options.ts';

/** Where `@opentelemetry/api` of this major version keeps what a program has registered, whichever copy of it that used. */
const telemetry = Symbol.for('opentelemetry.js.api.1');

/** True where OpenTelemetry is set up, as by `node --import ./tracing.js`. */
export function isTraced(): boolean {
  return telemetry in globalThis;
}

/** True where somebody watches the requests of a server. */
export function isObserved({ audit, logRequests }: Pick<ServeCommand, 'audit' | 'logRequests'>): boolean {
  return audit !== undefined || logRequests || isTraced();
}
