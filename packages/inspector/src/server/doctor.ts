import { maskText } from '@ccmcp/core/audit';
import type { ProbeStep } from '../probe/report.ts';
import type { ProbeTarget } from '../probe/target.ts';
import type { DoctorStep } from '../shared/diagnostics.ts';
import { Exchanges } from './connections/exchanges.ts';
import { round } from './connections/message-tracker.ts';
import type { Ids } from './id-generator.ts';
import type { EventLog } from './log/event-log.ts';
import { maskLabel } from './secrets.ts';
import { Refusal, type Target } from './targets.ts';

/** Lets targets be examined, and tells of each step what was asked and what came. */
export class Doctor {
  readonly #log: EventLog;
  readonly #ids: Ids;
  readonly #over = new AbortController();

  constructor(log: EventLog, ids: Ids) {
    this.#log = log;
    this.#ids = ids;
  }

  /** Begins to examine a target; gives the id of the examination at once. */
  start(target: Target, connection?: string): string {
    const examined = examinable(target);
    const doctor = this.#ids.next('d');
    const label = maskLabel(target.label);
    this.#log.add('doctor', { doctor, label, ...(connection !== undefined && { connection }) });
    void this.#run(doctor, examined);
    return doctor;
  }

  close(): void {
    this.#over.abort(new Error('The inspector is closed'));
  }

  async #run(doctor: string, target: ProbeTarget): Promise<void> {
    const exchanges = new Exchanges(this.#log, this.#ids, { owner: { doctor } });
    let since = performance.now();
    const found = ({ step, ok, isNote, says, change }: ProbeStep): void => {
      const now = performance.now();
      const status: DoctorStep['status'] = isNote ? 'note' : ok ? 'ok' : 'wrong';
      const told = { step, status, says: maskText(says), ...(change !== undefined && { advice: maskText(change) }) };
      this.#log.add('doctor-step', { doctor, ...told, ms: round(now - since), exchanges: [...exchanges.recent] });
      exchanges.forget();
      since = now;
    };
    try {
      const { probe } = await import('../probe/probe.ts');
      const { problem } = await probe(target, { found, tap: exchanges.tap, signal: this.#over.signal });
      const told = problem && {
        kind: problem.kind,
        says: maskText(problem.message),
        advice: maskText(problem.advice),
      };
      this.#log.add('doctor-end', { doctor, ...(told && { problem: told }) });
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error);
      this.#log.add('doctor-end', { doctor, problem: { kind: 'unexpected', says, advice: 'Look at the exchanges.' } });
    }
  }
}

/** A target in the terms of a probe. */
function examinable(target: Target): ProbeTarget {
  if (target.kind === 'url') return target;
  if (target.kind === 'command') return { ...target, env: { ...enoughToRun(), ...target.env } };
  throw new Refusal('This server runs in the process of the inspector: there is no way to it that could be broken');
}

const needed = ['HOME', 'PATH', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR', 'USERPROFILE'];

/** A program gets nothing else of our environment, which may be secret; nor does it where it is connected to. */
function enoughToRun(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.includes(name.toUpperCase())));
}
