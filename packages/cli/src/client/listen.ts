import type { Change } from '@ccmcp/core/client';
import type { Context } from './command.ts';
import { oneLine } from '../print.ts';

/** Shows changes as they happen, one per line, until it is interrupted or has shown enough of them. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  const { client, output, options, signal, lost } = context;
  const lists = { tools: true, prompts: true, resources: true };
  const subscription = await client.listen({ ...lists, ...(words.length > 0 && { uris: words }) }, { signal });
  output.note(`Listening. ${process.stderr.isTTY ? 'Ctrl+C ends it.' : ''}`.trim());
  const broken = lost.then((reason) => Promise.reject(reason));
  const shown = show();
  async function show(): Promise<void> {
    let left = options.count;
    for await (const change of subscription) {
      output.value(change, () => changeText(change));
      left -= 1;
      if (left <= 0) return;
    }
  }
  await Promise.race([shown, broken]);
  await subscription.close();
}

function changeText(change: Change): string {
  return change.kind === 'resource' ? `changed: ${oneLine(change.uri)}` : `changed: the list of ${change.kind}`;
}
