/** A metric with its samples by label. Can be sent between processes as JSON. */
export interface MetricFamily {
  /** Such as `ccmcp_requests_total`: letters, digits and `_`. */
  readonly name: string;
  /** What it is, in a sentence. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly MetricSample[];
  /**
   * How to aggregate the workers of one address: by sum, by maximum, or separately, with a label `worker`. Default:
   * `sum`.
   */
  readonly together?: 'sum' | 'largest' | 'apart';
}

/** One value. */
export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>>;
  /** Of a histogram, the sum of all that was measured. */
  readonly value: number;
  /** Of a histogram, the upper bounds of its buckets. */
  readonly bounds?: readonly number[];
  /** The count of each bucket, not cumulative; the last one is for values above all bounds. */
  readonly counts?: readonly number[];
}
