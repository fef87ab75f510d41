import { parseTextArguments } from '../arguments/arguments.ts';
import { assertNotHeldBack } from '../connection/open-client.ts';
import type { Context } from '../context.ts';
import { contentParts } from '../describe/result.ts';
import { Failure } from '../../command/failure.ts';
import { promptSignature } from '../describe/signature.ts';
import { missingName, unknownName } from '../describe/server-lists.ts';

/** Gets a prompt and shows its messages. */
export async function run({ client, output, options, data, signal }: Context, words: readonly string[]): Promise<void> {
  const [name, ...rest] = words;
  const prompts = client.capabilities.prompts === undefined ? [] : await client.listPrompts().all();
  if (name === undefined)
    throw missingName(
      'prompt',
      prompts.map((each) => each.name),
    );
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt === undefined) {
    await assertNotHeldBack(client, 'prompt', name);
    const names = prompts.map((candidate) => candidate.name);
    throw unknownName('prompt', name, names);
  }
  const args = await parseTextArguments(rest, data);
  const missing = (prompt.arguments ?? []).filter((each) => each.required === true && args[each.name] === undefined);
  if (missing.length > 0) {
    const hint = `It is used like this: ${promptSignature(prompt)}`;
    throw new Failure('usage', `"${name}" needs ${missing.map((each) => each.name).join(', ')}`, { hint });
  }
  const result = await client.getPrompt(name, args, { signal });
  const { out: folder } = options;
  const saved = (await import('../describe/save-files.ts')).saveContent(
    result.messages.map(({ content }) => content),
    { folder, name },
  );
  await output.parts(result, () =>
    result.messages.flatMap(({ role, content }) =>
      contentParts([content], saved).map((part) => ({ ...part, text: `${role}: ${part.text}` })),
    ),
  );
}
