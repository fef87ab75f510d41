import type { ServeCommand } from '../servers/serve-command.ts';

/** The global key under which `@opentelemetry/api` 1.x stores its registrations. */
const telemetry = Symbol.for('opentelemetry.js.api.1');

/** True where OpenTelemetry is set up, as by `node --import ./tracing.js`. */
export function isTraced(): boolean {
  return telemetry in globalThis;
}

/** True if requests of a server are observed. */
export function isObserved({ audit, logRequests }: Pick<ServeCommand, 'audit' | 'logRequests'>): boolean {
  return audit !== undefined || logRequests || isTraced();
}
