import { maskText } from '@ccmcp/core/audit';
import type { ProbeStep } from '../probe/report.ts';
import type { ProbeTarget } from '../probe/target.ts';
import type { DoctorStep } from '../shared/diagnostics.ts';
import { Exchanges } from './connections/exchanges.ts';
import { type EventLog, type IdGenerator, roundMs } from './log/event-log.ts';
import { maskLabel } from '@ccmcp/core/recording';
import { RequestError, type Target } from './targets.ts';

/** Runs probes, and logs each step with its exchanges. */
export class Doctor {
  readonly #log: EventLog;
  readonly #ids: IdGenerator;
  readonly #over = new AbortController();

  constructor(log: EventLog, ids: IdGenerator) {
    this.#log = log;
    this.#ids = ids;
  }

  /** Starts a probe, and returns its id immediately. */
  start(target: Target, connection?: string): string {
    const examined = toProbeTarget(target);
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
    const onStep = ({ step, ok, isNote, says, change }: ProbeStep): void => {
      const now = performance.now();
      const status: DoctorStep['status'] = isNote ? 'note' : ok ? 'ok' : 'wrong';
      const result = {
        step,
        status,
        message: maskText(says),
        ...(change !== undefined && { advice: maskText(change) }),
      };
      this.#log.add('doctor-step', { doctor, ...result, ms: roundMs(now - since), exchanges: [...exchanges.recent] });
      exchanges.clearRecent();
      since = now;
    };
    try {
      const { probe } = await import('../probe/probe.ts');
      const { problem } = await probe(target, { found: onStep, tap: exchanges.tap, signal: this.#over.signal });
      const result = problem && {
        kind: problem.kind,
        message: maskText(problem.message),
        advice: maskText(problem.advice),
      };
      this.#log.add('doctor-end', { doctor, ...(result && { problem: result }) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#log.add('doctor-end', {
        doctor,
        problem: { kind: 'unexpected', message, advice: 'Look at the exchanges.' },
      });
    }
  }
}

/** Converts a target for the probe. */
function toProbeTarget(target: Target): ProbeTarget {
  if (target.kind === 'url') return target;
  if (target.kind === 'command') return { ...target, env: { ...minimalEnv(), ...target.env } };
  throw new RequestError('This server runs in the process of the inspector, so there is no connection to diagnose');
}

const inheritedVariables = ['HOME', 'PATH', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR', 'USERPROFILE'];

/** Minimal environment: ours may contain secrets, and connections do not pass it on either. */
function minimalEnv(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => inheritedVariables.includes(name.toUpperCase())),
  );
}
