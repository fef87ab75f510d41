import type { ServeCommand } from '../servers/serve-command.ts';

/** The global key under which `@opentelemetry/api` 1.x stores its registrations. */
const telemetry = Symbol.for('opentelemetry.js.api.1');

/** True where OpenTelemetry is set up, as by `node --import ./tracing.js`. */
export function isTraced(): boolean {
  return telemetry in globalThis;
}

/** True if a server gets more than it has by itself, observers or middleware, or is compared with a lock. */
export function isExtended({ audit, lock, logRequests, toolSearch }: ServeCommand): boolean {
  return audit !== undefined || lock !== undefined || logRequests || toolSearch !== undefined || isTraced();
}
