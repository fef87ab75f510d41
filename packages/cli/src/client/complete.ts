import { textArguments } from './arguments.ts';
import type { Context } from './command.ts';
import { Failure } from './failure.ts';

/** Shows what an argument of a prompt, or a variable of a resource template, may be completed to. */
export async function run({ client, output, signal }: Context, words: readonly string[]): Promise<void> {
  const [what, name, ...rest] = words;
  if (what === undefined || name === undefined) {
    throw new Failure('usage', 'What to complete is missing: a prompt or a resource template, and an argument of it');
  }
  const hasValue = rest[0] !== undefined && !rest[0].includes('=');
  const value = hasValue ? (rest[0] ?? '') : '';
  const others = textArguments(hasValue ? rest.slice(1) : rest);
  const completion = await client.complete(
    {
      ref:
        what.includes('{') || what.includes('://')
          ? { type: 'ref/resource', uri: what }
          : { type: 'ref/prompt', name: what },
      argument: { name, value },
      ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
    },
    { signal },
  );
  output.value(completion, () => completion.values.join('\n'));
}
