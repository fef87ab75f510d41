import type { MetricFamily } from '../../../../features/metrics/text.ts';
import type { Readiness } from '../endpoint/health.ts';

/** A report for operators: metrics and readiness. */
export interface Report {
  readonly families: readonly MetricFamily[];
  readonly readiness: Readiness;
}
