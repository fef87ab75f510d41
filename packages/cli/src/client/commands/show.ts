import { tokenEstimate, toolTokens } from '@ccmcp/core/client';
import type { Context } from '../context.ts';
import { commandLine, exampleCall } from '../arguments/example-call.ts';
import { Failure } from '../../command/failure.ts';
import { stylePageLine } from '../../terminal/wrap.ts';
import {
  listNames,
  type ServerLists,
  fetchLists,
  missingName,
  unknownName,
  listNamesText,
} from '../describe/server-lists.ts';
import { didYouMean } from '../../command/suggest.ts';
import { promptPage, toolPage } from '../describe/tool-page.ts';

/** Shows one tool or prompt with all details. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  const [name, more] = words;
  if (name === undefined) {
    const { tools = [] } = await fetchLists(context.client, ['tools']);
    throw missingName(
      'tool',
      tools.map((each) => each.name),
    );
  }
  if (more !== undefined) throw new Failure('usage', `Unexpected argument: ${more}`);
  return show(context, name);
}

/** Shows the tool or prompt of this name. `orList`: the word may be a mistyped list. */
export async function show(context: Context, name: string, { orList = false } = {}): Promise<void> {
  const { client, output, terminal, typed } = context;
  const found = await fetchLists(client, ['tools', 'prompts']);
  const tool = found.tools?.find((each) => each.name === name);
  if (tool !== undefined) {
    const example = await exampleCall(tool, typed);
    const tokens = { total: toolTokens(tool), estimate: tokenEstimate };
    const json = { tool, tokens, ...(example && { example }) };
    return output.long(json, () => toolPage(tool, example), { look: stylePageLine, terminal });
  }
  const prompt = found.prompts?.find((each) => each.name === name);
  if (prompt === undefined) throw unknown(name, found, orList);
  const given = (prompt.arguments ?? []).filter(({ required }) => required === true).map((each) => `${each.name}=text`);
  const example = commandLine('prompt', typed, [name, ...given]);
  return output.long({ prompt, example }, () => promptPage(prompt, example), { look: stylePageLine, terminal });
}

function unknown(name: string, { tools = [], prompts = [], failed }: ServerLists, orList: boolean): Error {
  if (failed.tools !== undefined) return failed.tools;
  const names = [...tools, ...prompts].map((each) => each.name);
  if (!orList) return unknownName('tool', name, names);
  const near = didYouMean(name, [...listNames, ...names]);
  const kind = near !== '' && listNames.some((list) => near.includes(`"${list}"`)) ? 'usage' : 'unknown-name';
  return new Failure(kind, `There is no list of ${name}, and no tool of this name.${near}`, {
    hint: `The lists are ${listNames.join(', ')}. ${listNamesText('tools', names)}`,
  });
}
