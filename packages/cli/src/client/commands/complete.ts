import type { Client } from '@ccmcp/core/client';
import { parseTextArguments } from '../arguments/arguments.ts';
import type { Context } from '../context.ts';
import { Failure } from '../../command/failure.ts';
import { fetchLists, unknownName } from '../describe/server-lists.ts';
import { toOneLine } from '../../terminal/print.ts';
import { promptSignature } from '../describe/signature.ts';
import { didYouMean } from '../../command/suggest.ts';

/** Shows the completions of a prompt argument or a template variable. */
export async function run({ client, output, data, signal }: Context, words: readonly string[]): Promise<void> {
  const [what, name, ...rest] = words;
  if (what === undefined || name === undefined) {
    throw new Failure('usage', 'What to complete is missing: a prompt or a resource template, and an argument of it');
  }
  const hasValue = rest[0] !== undefined && !rest[0].includes('=');
  const value = hasValue ? (rest[0] ?? '') : '';
  const others = await parseTextArguments(hasValue ? rest.slice(1) : rest, data);
  const isTemplate = what.includes('{') || what.includes('://');
  await (isTemplate ? requireTemplate(client, what, name) : requirePrompt(client, what, name));
  const completion = await client.complete(
    {
      ref: isTemplate ? { type: 'ref/resource', uri: what } : { type: 'ref/prompt', name: what },
      argument: { name, value },
      ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
    },
    { signal },
  );
  output.value(completion, () => completion.values.map(toOneLine).join('\n'));
}

/** Checks that the prompt exists: servers answer differently to unknown ones, some with an empty list. */
async function requirePrompt(client: Client, what: string, argument: string): Promise<void> {
  const { prompts = [], failed } = await fetchLists(client, ['prompts']);
  if (failed.prompts !== undefined) return;
  const prompt = prompts.find((each) => each.name === what);
  if (prompt === undefined) {
    const names = prompts.map((each) => each.name);
    throw unknownName('prompt', what, names);
  }
  const known = (prompt.arguments ?? []).map((each) => each.name);
  if (known.includes(argument)) return;
  const hint = `It is used like this: ${promptSignature(prompt)}`;
  throw new Failure('usage', `"${what}" takes no "${argument}".${didYouMean(argument, known)}`, { hint });
}

async function requireTemplate(client: Client, what: string, variable: string): Promise<void> {
  const { templates = [], resources = [], failed } = await fetchLists(client, ['templates', 'resources']);
  const known = [...templates.map((each) => each.uriTemplate), ...resources.map((each) => each.uri)];
  if (failed.templates === undefined && !known.includes(what)) throw unknownName('resource template', what, known);
  const variables = variablesOf(what);
  if (variables.length > 0 && !variables.includes(variable)) {
    const hint = `It has ${variables.join(', ')}.`;
    throw new Failure('usage', `"${what}" has no variable "${variable}".${didYouMean(variable, variables)}`, { hint });
  }
}

/** The variables of a template, such as `id` of `notes://{id}`. */
function variablesOf(template: string): string[] {
  return Array.from(template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g), ([, names = '']) => names)
    .flatMap((names) => names.split(','))
    .map((name) => name.replace(/(?:\*|:\d+)$/, ''));
}
