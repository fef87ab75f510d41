import type { HttpTap } from '@ccmcp/core/client';
import type { DoctorEnd, DoctorStep } from '../shared/findings.ts';
import { Exchanges } from './connections/exchanges.ts';
import { round } from './connections/wire.ts';
import type { Ids } from './ids.ts';
import type { EventLog } from './log/event-log.ts';
import { maskLabel } from './mask.ts';
import { Refusal, type Target } from './targets.ts';

/** One thing that was found out about a target. */
export type Found = Pick<DoctorStep, 'step' | 'status' | 'says' | 'advice'>;

/** What an examination tells its findings to. */
export interface Examination {
  found(step: Found): void;
  /** Sees the requests that are made for it. */
  readonly tap: HttpTap;
  readonly signal: AbortSignal;
}

/** Finds out step by step what is wrong with a target; gives that, where there is something. */
export type Examine = (target: Target, examination: Examination) => Promise<DoctorEnd['problem'] | undefined>;

/** Lets targets be examined, and tells of each step what was asked and what came. */
export class Doctor {
  readonly #log: EventLog;
  readonly #ids: Ids;
  readonly #examine: Examine | undefined;
  readonly #over = new AbortController();

  constructor(log: EventLog, ids: Ids, examine: Examine | undefined) {
    this.#log = log;
    this.#ids = ids;
    this.#examine = examine;
  }

  /** Begins to examine a target; gives the id of the examination at once. */
  start(target: Target, connection?: string): string {
    const examine = this.#examine;
    if (examine === undefined) {
      throw new Refusal(
        'Nothing can be examined from here',
        'Run "ccmcp probe" with the address, or open it with "ccmcp inspect".',
      );
    }
    if (target.kind === 'own') {
      throw new Refusal('This server runs in the process of the inspector: there is no way to it that could be broken');
    }
    const doctor = this.#ids.next('d');
    const label = maskLabel(target.label);
    this.#log.add('doctor', { doctor, label, ...(connection !== undefined && { connection }) });
    void this.#run(doctor, target, examine);
    return doctor;
  }

  close(): void {
    this.#over.abort(new Error('The inspector is closed'));
  }

  async #run(doctor: string, target: Target, examine: Examine): Promise<void> {
    const exchanges = new Exchanges(this.#log, this.#ids, { owner: { doctor } });
    let since = performance.now();
    const found = (step: Found): void => {
      const now = performance.now();
      this.#log.add('doctor-step', { doctor, ...step, ms: round(now - since), exchanges: [...exchanges.recent] });
      exchanges.forget();
      since = now;
    };
    try {
      const problem = await examine(target, { found, tap: exchanges.tap, signal: this.#over.signal });
      this.#log.add('doctor-end', { doctor, ...(problem && { problem }) });
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error);
      this.#log.add('doctor-end', { doctor, problem: { kind: 'unexpected', says, advice: 'Look at the exchanges.' } });
    }
  }
}
