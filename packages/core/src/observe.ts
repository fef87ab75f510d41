/// <reference types="node" preserve="true" />

export type { MetricFamily, MetricSample } from './features/metrics/text.ts';
export { type Metrics, type MetricSource, metrics, type MetricsOptions } from './features/metrics/metrics.ts';
export { type LoggedRequest, type RequestLogOptions, requestLog } from './features/observe/request-log.ts';
