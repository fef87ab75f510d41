import type { FailureKind } from '../failure.ts';

/** What can be wrong with a set-up, each with the exit code it leads to. The words are a promise to scripts. */
export const problemKinds = {
  'unknown-host': 'unreachable',
  'nothing-listens': 'unreachable',
  'no-way': 'unreachable',
  'plain-port': 'unreachable',
  'tls-port': 'unreachable',
  certificate: 'unreachable',
  redirect: 'unreachable',
  unauthorized: 'unauthorized',
  forbidden: 'unauthorized',
  'broken-sign-in': 'unauthorized',
  'bad-token': 'unauthorized',
  'not-found': 'unreachable',
  'web-page': 'unreachable',
  'server-error': 'unreachable',
  'not-mcp': 'refused',
  'old-sse': 'done',
  buffering: 'timeout',
  'cannot-start': 'unreachable',
  exits: 'unreachable',
  'stdout-noise': 'refused',
  'wrong-framing': 'refused',
  silent: 'timeout',
  'no-agreement': 'refused',
  'broken-list': 'refused',
} as const satisfies Record<string, FailureKind | 'done'>;

export type ProblemKind = keyof typeof problemKinds;

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
export interface Step {
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
  readonly steps: Step[] = [];
  readonly #tell: (step: Step) => void;
  speaks: Speaks | undefined;
  problem: Problem | undefined;

  constructor(tell: (step: Step) => void) {
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

  add(step: Step): void {
    this.steps.push(step);
    this.#tell(step);
  }
}
