/** Start of a doctor run. */
export interface DoctorStart {
  readonly doctor: string;
  readonly connection?: string;
  readonly label: string;
}

/** One step of a doctor run. */
export interface DoctorStep {
  readonly doctor: string;
  /** Such as `name`, `port`, `TLS`, `endpoint`, `protocol`, `stream`. */
  readonly step: string;
  readonly status: 'ok' | 'note' | 'wrong';
  readonly message: string;
  /** The suggested change. */
  readonly advice?: string;
  readonly ms: number;
  /** HTTP exchanges of the step. */
  readonly exchanges: readonly string[];
}

/** End of a doctor run. */
export interface DoctorEnd {
  readonly doctor: string;
  /** Absent: no problem. */
  readonly problem?: { readonly kind: string; readonly message: string; readonly advice: string };
}

/** Steps of signing in, in order. */
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

/** State of an OAuth flow. */
export interface SignInState {
  readonly flow: string;
  readonly url: string;
  readonly connection?: string;
  /**
   * `ready`: waits for `sign-in-next`. `waiting`: waits for the user at `open`. `done`: the token is kept while the inspector runs.
   * `failed`: the last step says why.
   */
  readonly status: 'running' | 'ready' | 'waiting' | 'done' | 'failed' | 'cancelled';
  /** The next step, or the one that failed. */
  readonly step?: SignInStepName;
  /** URL at which the user signs in. Shown as text, and opened on click only. */
  readonly open?: string;
}

/** One step of an OAuth flow. Later events replace earlier ones. */
export interface SignInStep {
  readonly flow: string;
  readonly step: SignInStepName;
  readonly status: 'running' | 'ok' | 'note' | 'wrong' | 'skipped';
  /** The finding, or the problem. */
  readonly message: string;
  readonly advice?: string;
  /** Facts for a table; secrets masked. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly exchanges: readonly string[];
}
