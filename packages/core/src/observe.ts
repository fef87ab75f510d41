/// <reference types="node" preserve="true" />

export type { MetricFamily, MetricSample } from './metrics/family.ts';
export { type Metrics, type MetricSource, metrics, type MetricsOptions } from './metrics/metrics.ts';
export { type LoggedRequest, type RequestLogOptions, requestLog } from './server/observe/request-log.ts';
