/** A connection or target is being examined. */
export interface DoctorStart {
  readonly doctor: string;
  readonly connection?: string;
  readonly label: string;
}

/** One thing that was tried. */
export interface DoctorStep {
  readonly doctor: string;
  /** Such as `name`, `port`, `TLS`, `endpoint`, `protocol`, `stream`. */
  readonly step: string;
  readonly status: 'ok' | 'note' | 'wrong';
  readonly says: string;
  /** What to change. */
  readonly advice?: string;
  readonly ms: number;
  /** What was asked and what came. */
  readonly exchanges: readonly string[];
}

/** The examination is over. */
export interface DoctorEnd {
  readonly doctor: string;
  /** Absent: nothing is wrong. */
  readonly problem?: { readonly kind: string; readonly says: string; readonly advice: string };
}

/** The steps of signing in, in order. */
export const signInSteps = [
  'challenge',
  'resource-metadata',
  'server-metadata',
  'registration',
  'authorization',
  'token',
  'use',
] as const;

export type SignInStepName = (typeof signInSteps)[number];

/** A walk through signing in to a server, step by step. */
export interface SignInState {
  readonly flow: string;
  readonly url: string;
  readonly connection?: string;
  /**
   * `ready`: waits for `sign-in-next`. `waiting`: waits for the person at `open`. `done`: there is a token, and it is kept for the
   * server while the inspector runs. `failed`: the last step says why.
   */
  readonly status: 'running' | 'ready' | 'waiting' | 'done' | 'failed' | 'cancelled';
  /** The step that comes next, or that failed. */
  readonly step?: SignInStepName;
  /** The address at which a person signs in. Shown as text and opened only when it is clicked. */
  readonly open?: string;
}

/** One step of it. Told again when it goes on; the last counts. */
export interface SignInStep {
  readonly flow: string;
  readonly step: SignInStepName;
  readonly status: 'running' | 'ok' | 'note' | 'wrong' | 'skipped';
  /** What was found, or what is wrong. */
  readonly says: string;
  readonly advice?: string;
  /** What was learnt, for a table; secrets masked. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly exchanges: readonly string[];
}
