/** How much is measured. Everything else is the same in a quick run and a full one. */
export interface Settings {
  readonly name: 'quick' | 'full';
  /** How often each subject is started for the start-up figures. */
  readonly startRounds: number;
  /** How often each subject takes its turn in the other measurements. */
  readonly rounds: number;
  /** How long one turn should take, in milliseconds. */
  readonly turnMs: number;
  /** How long one turn takes in which another program loads the server, in seconds. */
  readonly loadSeconds: number;
  /** Calls made one after another in a turn, for the latency. */
  readonly latencyCalls: number;
  /** Sizes of the echoed payloads, in megabytes. */
  readonly payloadsMb: readonly number[];
  /** How often each subject is started with each number of tools. */
  readonly growthRounds: number;
  /** Numbers of registered tools. The first is what the others are compared with. */
  readonly toolCounts: readonly number[];
  /** Numbers of open sessions. */
  readonly sessionCounts: readonly number[];
  /** Connections that a client keeps open, for the memory of each. */
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
