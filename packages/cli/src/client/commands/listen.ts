import type { Change } from '@ccmcp/core/client';
import type { Context } from '../context.ts';
import { Failure } from '../../command/failure.ts';
import { toOneLine } from '../../terminal/print.ts';
import { host } from '../../host.ts';

/** The longest delay of `setTimeout`; a longer one fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Shows changes as they happen, one per line, until it is interrupted or has shown enough of them. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  const { client, output, options, signal, lost } = context;
  const lists = { tools: true, prompts: true, resources: true };
  const subscription = await client.listen({ ...lists, ...(words.length > 0 && { uris: words }) }, { signal });
  output.note(`Listening. ${host.stderr.isTTY ? 'Ctrl+C ends it.' : ''}`.trim());
  const broken = lost.then((reason) => Promise.reject(reason));
  let seen = 0;
  const shown = show();
  async function show(): Promise<void> {
    for await (const change of subscription) {
      output.value(change, () => changeText(change));
      seen += 1;
      if (seen >= options.count) return;
    }
  }
  const { over, stop } = timer(options.listenMs);
  const isOver = await Promise.race([shown, broken, over]).finally(stop);
  await subscription.close();
  if (isOver === true && Number.isFinite(options.count)) {
    throw new Failure('timeout', `${seen} of ${options.count} changes came in ${options.listenMs / 1000} s`);
  }
}

/** Resolves after a time; never for an infinite one. */
function timer(ms: number): { over: Promise<true>; stop(): void } {
  let stop = (): void => {};
  const over = new Promise<true>((resolve) => {
    if (!Number.isFinite(ms)) return;
    const timeout = setTimeout(() => resolve(true), Math.min(ms, maxTimerMs));
    stop = () => clearTimeout(timeout);
  });
  return { over, stop: () => stop() };
}

function changeText(change: Change): string {
  return change.kind === 'resource' ? `changed: ${toOneLine(change.uri)}` : `changed: the list of ${change.kind}`;
}
