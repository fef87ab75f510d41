import type { MetricFamily } from '../../../../metrics/family.ts';
import type { Readiness } from '../endpoint/health.ts';

/** What an operator is told of a service: what was measured, and whether requests should be sent to it. */
export interface Report {
  readonly families: readonly MetricFamily[];
  readonly readiness: Readiness;
}
