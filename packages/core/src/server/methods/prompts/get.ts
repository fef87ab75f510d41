import { brief, invalidParams } from '../../../jsonrpc/errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import type { Prompt } from '../../define/define.ts';
import { toPromptResult } from '../../define/prompt-entry.ts';
import { assertFits } from '../../call/result-size.ts';
import { demandScopes } from '../../scopes/check-scopes.ts';
import { whenThere } from '../../../jsonrpc/awaitable.ts';
import type { Method } from '../method.ts';

/** Serves `prompts/get`. */
export const getPrompt: Method = {
  scopes: ({ server, params }) => server.prompts.entry(params.name as string)?.scopes?.fixed,
  allScopes({ server, params }) {
    const { scopes, prompt } = server.prompts.entry(params.name as string) ?? {};
    if (scopes === undefined || prompt === undefined) return undefined;
    const args = scopes.fixed === undefined ? argumentsOf(prompt, params.arguments ?? {}) : undefined;
    return scopes.of(args);
  },
  run(call) {
    const { name, arguments: given } = call.params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string: the prompt to get');
    const { prompt, scopes } = call.server.prompts.entry(name) ?? {};
    if (prompt === undefined) throw invalidParams(`Unknown prompt: ${brief(name)}`);
    demandScopes(call, scopes?.fixed);
    const args = argumentsOf(prompt, given ?? {});
    demandScopes(call, scopes?.of(args));
    return whenThere(prompt.get(args as never, call), (value) => {
      assertFits(value, `prompt "${name}"`, call.server.maxResult);
      return toPromptResult(prompt, value);
    });
  },
};

function argumentsOf(prompt: Prompt, given: unknown): Record<string, string> {
  if (!isObject(given)) throw invalidParams('"arguments" must be an object of strings');
  const declared = prompt.arguments ?? {};
  const args: Record<string, string> = {};
  for (const [name, { required }] of Object.entries(declared)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (required) throw invalidParams(`Prompt "${prompt.name}": argument "${name}" is missing`);
    } else if (typeof value === 'string') {
      args[name] = value;
    } else {
      throw invalidParams(`Prompt "${prompt.name}": argument "${name}" must be a string`);
    }
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(declared, name));
  if (unknown !== undefined) throw invalidParams(`Prompt "${prompt.name}" has no argument "${brief(unknown)}"`);
  return args;
}
