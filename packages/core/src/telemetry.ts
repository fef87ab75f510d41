export { clientTelemetry } from './features/telemetry/client.ts';
export type { ServerTelemetryOptions, TelemetryOptions } from './features/telemetry/options.ts';
export { telemetry } from './features/telemetry/server.ts';
