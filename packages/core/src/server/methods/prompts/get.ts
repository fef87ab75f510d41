import { brief, invalidParams } from '../../../jsonrpc/errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import type { Prompt } from '../../define/define.ts';
import { toPromptResult } from '../../define/prompt-entry.ts';
import { assertFits } from '../../call/result-size.ts';
import { mapAwaitable } from '../../../jsonrpc/awaitable.ts';
import type { Method } from '../../call/call.ts';
import { contextOf } from '../../call/operation-context.ts';

/** Serves `prompts/get`. */
export const getPrompt: Method = {
  requirement: ({ server, params }) => server.catalog.prompts.entries.get(params.name as string)?.access?.fixed,
  fullRequirement({ server, params }) {
    const { access, prompt } = server.catalog.prompts.entries.get(params.name as string) ?? {};
    if (access === undefined || prompt === undefined) return undefined;
    const args = access.fixed === undefined ? argumentsOf(prompt, params.arguments ?? {}) : undefined;
    return access.of(args);
  },
  run(call) {
    const { name, arguments: given } = call.params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string: the prompt to get');
    const { prompt, access } = call.server.catalog.prompts.entries.get(name) ?? {};
    if (prompt === undefined) throw invalidParams(`Unknown prompt: ${brief(name)}`);
    call.server.access.require(call, access?.fixed);
    const args = argumentsOf(prompt, given ?? {});
    call.server.access.require(call, access?.of(args));
    return mapAwaitable(prompt.get(args as never, contextOf(call)), (value) => {
      assertFits(value, `prompt "${name}"`, call.server.settings.maxResult);
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
