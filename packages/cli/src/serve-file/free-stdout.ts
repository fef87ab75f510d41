import { guardedStderr } from '../print.ts';

/**
 * Sends what is written to stdout to stderr: what a module prints while it is loaded must not reach the client. Gives a
 * function that ends that, also for whoever has kept hold of `write` meanwhile.
 */
export function keepStdoutFree(): () => void {
  const { stdout } = process;
  const stderr = guardedStderr();
  const instead = stderr.write.bind(stderr);
  const write = stdout.write;
  let isFree = true;
  const guarded = ((...args: Parameters<typeof write>) =>
    isFree ? instead(...args) : write.apply(stdout, args)) as typeof write;
  stdout.write = guarded;
  return () => {
    isFree = false;
    if (stdout.write === guarded) stdout.write = write;
  };
}
