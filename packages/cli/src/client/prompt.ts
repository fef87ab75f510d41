import { textArguments } from './arguments.ts';
import type { Context } from './command.ts';
import { Failure } from './failure.ts';
import { contentText } from './output.ts';
import { promptSignature } from './signature.ts';
import { didYouMean } from './suggest.ts';

/** Gets a prompt and shows its messages. */
export async function run({ client, output, signal }: Context, words: readonly string[]): Promise<void> {
  const [name, ...rest] = words;
  if (name === undefined) throw new Failure('usage', 'The name of a prompt is missing');
  const prompts = client.capabilities.prompts === undefined ? [] : await client.listPrompts().all();
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt === undefined) {
    const names = prompts.map((candidate) => candidate.name);
    const hint = names.length === 0 ? 'It has no prompts.' : `It has ${names.join(', ')}.`;
    throw new Failure('unknown-name', `The server has no prompt "${name}".${didYouMean(name, names)}`, { hint });
  }
  const args = textArguments(rest);
  const missing = (prompt.arguments ?? []).filter((each) => each.required === true && args[each.name] === undefined);
  if (missing.length > 0) {
    const hint = `It is used like this: ${promptSignature(prompt)}`;
    throw new Failure('usage', `"${name}" needs ${missing.map((each) => each.name).join(', ')}`, { hint });
  }
  const result = await client.getPrompt(name, args, { signal });
  output.value(result, () =>
    result.messages.map(({ role, content }) => `${role}: ${contentText([content])}`).join('\n'),
  );
}
