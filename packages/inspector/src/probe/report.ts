/** What can be wrong with a set-up. The words are a promise to scripts. */
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

/** What is wrong, in a sentence, and what to do about it. */
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

/** One thing that was tried. */
export interface ProbeStep {
  step: string;
  ok: boolean;
  says: string;
  /** What to change. */
  change?: string;
  /** It works, and could be better. */
  isNote?: true;
}

/** What a server turned out to speak. */
export interface Speaks {
  transport: 'stdio' | 'http' | 'http+sse';
  protocolVersion: string;
  era: 'handshake' | 'stateless';
  server?: { name: string; version: string };
  /** How many there are; null where the server could not say. */
  tools: number | null;
  resources: number | null;
  prompts: number | null;
}

/** Everything that was tried, in order, up to the first problem. */
export class Report {
  readonly steps: ProbeStep[] = [];
  readonly #tell: (step: ProbeStep) => void;
  speaks: Speaks | undefined;
  problem: Problem | undefined;

  constructor(tell: (step: ProbeStep) => void) {
    this.#tell = tell;
  }

  /** Tries something that says what it found, or throws what is wrong. */
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
    this.#tell(step);
  }
}
