/** One thing that is measured, with all values that it has by label. It can be sent from one process to another as JSON. */
export interface MetricFamily {
  /** Such as `ccmcp_requests_total`: letters, digits and `_`. */
  readonly name: string;
  /** What it is, in a sentence. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly MetricSample[];
  /**
   * How several processes that serve one address are told of: by the sum of their values, by the largest, or apart, with a
   * label `worker`. Default: `sum`.
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
  /** How many fell into each bucket, those of the smaller ones left out; the last is for what is above all bounds. */
  readonly counts?: readonly number[];
}
