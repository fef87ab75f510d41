import { Failure } from './failure.ts';
import { host } from '../host.ts';

/** Runs something that SIGINT and SIGTERM abort. */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error('interrupted'));
  host.signals.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(interrupted.signal);
  } catch (error) {
    throw interrupted.signal.aborted ? new Failure('interrupted', 'Interrupted') : error;
  } finally {
    host.signals.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
