export { clientTelemetry } from './telemetry/client.ts';
export type { ServerTelemetryOptions, TelemetryOptions } from './telemetry/options.ts';
export { telemetry } from './telemetry/server.ts';
