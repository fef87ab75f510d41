/** Kinds of problems. Scripts rely on these words. */
export type ProblemKind =
  | 'unknown-host'
  | 'nothing-listens'
  | 'no-way'
  | 'plain-port'
  | 'tls-port'
  | 'certificate'
  | 'redirect'
  | 'unauthorized'
  | 'forbidden'
  | 'broken-sign-in'
  | 'bad-token'
  | 'not-found'
  | 'web-page'
  | 'server-error'
  | 'not-mcp'
  | 'old-sse'
  | 'buffering'
  | 'cannot-start'
  | 'exits'
  | 'stdout-noise'
  | 'wrong-framing'
  | 'silent'
  | 'no-agreement'
  | 'broken-list';

/** A problem, and what to do about it. */
export class Problem extends Error {
  override name = 'Problem';

  constructor(
    readonly kind: ProblemKind,
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

/** Result of one step. */
export interface ProbeStep {
  step: string;
  ok: boolean;
  says: string;
  /** The suggested change. */
  change?: string;
  /** It works, but could be better. */
  isNote?: true;
}

/** The versions and features of a server. */
export interface ServerSummary {
  transport: 'stdio' | 'http' | 'http+sse';
  protocolVersion: string;
  era: 'handshake' | 'stateless';
  server?: { name: string; version: string };
  /** Counts; null if listing failed. */
  tools: number | null;
  resources: number | null;
  prompts: number | null;
}

/** Steps in order, up to the first problem. */
export class Report {
  readonly steps: ProbeStep[] = [];
  readonly #onStep: (step: ProbeStep) => void;
  speaks: ServerSummary | undefined;
  problem: Problem | undefined;

  constructor(onStep: (step: ProbeStep) => void) {
    this.#onStep = onStep;
  }

  /** Runs a step, which returns its finding or throws a problem. */
  async try(step: string, attempt: () => Promise<string>): Promise<void> {
    try {
      this.add({ step, ok: true, says: await attempt() });
    } catch (error) {
      this.add({ step, ok: false, says: (error as Error).message });
      throw error;
    }
  }

  add(step: ProbeStep): void {
    this.steps.push(step);
    this.#onStep(step);
  }
}
