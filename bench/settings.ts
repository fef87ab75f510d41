/** How much is measured. */
export interface Settings {
  readonly name: 'quick' | 'full';
  /** Starts per subject, for start-up. */
  readonly startRounds: number;
  /** Turns per subject, for everything else. */
  readonly rounds: number;
  readonly turnMs: number;
  /** Length of a turn with an external load generator. */
  readonly loadSeconds: number;
  /** Sequential calls per turn, for latency. */
  readonly latencyCalls: number;
  readonly payloadsMb: readonly number[];
  /** Starts per subject and number of tools. */
  readonly growthRounds: number;
  /** The first is what the others are compared with. */
  readonly toolCounts: readonly number[];
  readonly sessionCounts: readonly number[];
  /** Open connections of a client, for the memory of each. */
  readonly clientConnections: number;
}

export const quick: Settings = {
  name: 'quick',
  startRounds: 5,
  rounds: 3,
  turnMs: 120,
  loadSeconds: 1,
  latencyCalls: 400,
  payloadsMb: [1],
  growthRounds: 1,
  toolCounts: [10, 1000],
  sessionCounts: [200, 600],
  clientConnections: 50,
};

export const full: Settings = {
  name: 'full',
  startRounds: 11,
  rounds: 7,
  turnMs: 400,
  loadSeconds: 2,
  latencyCalls: 1000,
  payloadsMb: [1, 8],
  growthRounds: 3,
  toolCounts: [10, 100, 1000, 10_000],
  sessionCounts: [200, 1000, 5000],
  clientConnections: 200,
};
