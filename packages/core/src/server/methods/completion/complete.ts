import { brief, invalidParams } from '../../../jsonrpc/errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import type { Call, Method } from '../../call/call.ts';
import { contextOf } from '../../call/operation-context.ts';
import type { Completer, CompletionValues } from '../../define/define.ts';
import { assertFits } from '../../call/result-size.ts';
import type { AccessRule, Requirement } from '../../define/access-rule.ts';
import { mapAwaitable } from '../../../jsonrpc/awaitable.ts';
import { findCompletable } from '../resources/find.ts';

/** The protocol's limit of values. */
const maxValues = 100;

/** Serves `completion/complete`. */
export const complete: Method = {
  requirement: (call) => requirementOf(ruleFor(call, call.params.ref)),
  run(call) {
    const { ref, argument, context } = call.params;
    call.server.access.require(call, requirementOf(ruleFor(call, ref)));
    if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
      throw invalidParams('"argument" must be an object with a name and a value');
    }
    const { name, value } = argument;
    const completer = completerFor(call, ref, name);
    const others = readArguments(context);
    if (completer === undefined) return { completion: { values: [], total: 0, hasMore: false } };
    const found =
      typeof completer === 'function'
        ? completer(value, { arguments: others, call: contextOf(call) })
        : filterByPrefix(value, completer);
    return mapAwaitable(found, (values) => {
      const completion = truncateValues(values);
      assertFits(completion, `completion of "${brief(name)}"`, call.server.settings.maxResult);
      return { completion };
    });
  },
};

/** Filters candidates by prefix, case-insensitively. */
function filterByPrefix(value: string, candidates: readonly string[]): readonly string[] {
  const start = value.toLowerCase();
  return candidates.filter((candidate) => candidate.toLowerCase().startsWith(start));
}

/**
 * A completion needs the access of what it completes. If that depends on arguments, which are incomplete,
 * authentication suffices.
 */
function requirementOf(rule: AccessRule | undefined): Requirement | undefined {
  return rule === undefined ? undefined : (rule.fixed ?? []);
}

function ruleFor(call: Call, ref: unknown): AccessRule | undefined {
  if (!isObject(ref)) return undefined;
  if (ref.type === 'ref/prompt') return call.server.catalog.prompts.entries.get(ref.name as string)?.access;
  return findCompletable(call, ref.uri as string)?.access;
}

/** Undefined if there is no completer, or no such argument. */
function completerFor(call: Call, ref: unknown, argument: string): Completer | undefined {
  const { server } = call;
  if (isObject(ref) && ref.type === 'ref/prompt' && typeof ref.name === 'string') {
    const prompt = server.catalog.prompts.entries.get(ref.name)?.prompt;
    if (prompt === undefined) throw invalidParams(`Unknown prompt: ${brief(ref.name)}`);
    const { arguments: declared = {} } = prompt;
    return Object.hasOwn(declared, argument) ? declared[argument]?.complete : undefined;
  }
  if (isObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string') {
    const entry = findCompletable(call, ref.uri);
    if (entry === undefined) throw invalidParams(`Unknown resource template: ${brief(ref.uri)}`);
    const { complete = {} } = 'template' in entry ? entry.template : {};
    return Object.hasOwn(complete, argument) ? complete[argument] : undefined;
  }
  throw invalidParams('"ref" must be {"type": "ref/prompt", "name": …} or {"type": "ref/resource", "uri": …}');
}

function readArguments(context: unknown): Record<string, string> {
  if (context === undefined) return {};
  const args = isObject(context) ? (context.arguments ?? {}) : undefined;
  if (!isObject(args) || !Object.values(args).every((value) => typeof value === 'string')) {
    throw invalidParams('"context.arguments" must be an object of strings');
  }
  return args as Record<string, string>;
}

function truncateValues(found: readonly string[] | CompletionValues): {
  values: string[];
  total: number;
  hasMore: boolean;
} {
  const { values, total = values.length }: CompletionValues = isValues(found) ? found : { values: found };
  const shown = values.slice(0, maxValues);
  return { values: shown, total, hasMore: total > shown.length };
}

function isValues(found: readonly string[] | CompletionValues): found is CompletionValues {
  return !Array.isArray(found);
}
