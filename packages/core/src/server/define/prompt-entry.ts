import { isObject } from '../../jsonrpc/message.ts';
import { text } from '../../protocol/content.ts';
import type { PromptListing } from '../../protocol/listing.ts';
import type { GetPromptResult, PromptMessage } from '../../protocol/results.ts';
import type { Prompt, PromptArgument } from './define.ts';
import { assertMembers, promptKind } from './migration-hints.ts';
import { describe } from './listing-fields.ts';
import type { Registered } from './registry.ts';
import type { AccessRules } from '../access.ts';
import type { AccessRule } from './access-rule.ts';

/** A registered prompt with its precomputed listing. */
export interface PromptEntry extends Registered {
  readonly prompt: Prompt;
  readonly listing: PromptListing;
  readonly access: AccessRule | undefined;
}

/** Validates a prompt's definition and computes its listing. */
export function preparePrompt(prompt: Prompt, position: number, rules: AccessRules): PromptEntry {
  const { name } = prompt;
  if (typeof name !== 'string' || name === '') throw new TypeError('A prompt needs a name');
  assertMembers(promptKind, name, prompt);
  const args = argumentsOf(prompt).map(([argument, { title, description, required }]) => ({
    name: argument,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    required: required === true,
  }));
  const listing = describe<PromptListing>({ name }, prompt);
  if (args.length > 0) listing.arguments = args;
  return { key: name, position, prompt, listing, access: rules.callRule(`Prompt "${name}"`, prompt) };
}

function argumentsOf({ name, arguments: args = {} }: Prompt): [string, PromptArgument][] {
  const form = 'arguments: { topic: { description: "…", required: true } }';
  const wrong = (what: string): TypeError =>
    new TypeError(`Prompt "${name}": ${what}, and values are always texts: write ${form}`);
  if (!isObject(args) || '~standard' in args)
    throw wrong('its arguments must be an object with a member for each of them');
  const entries = Object.entries(args);
  for (const [argument, given] of entries) {
    if (!isObject(given) || '~standard' in given) throw wrong(`its argument "${argument}" must be an object`);
  }
  return entries;
}

/** Converts the return value of a prompt's handler to a result. */
export function toPromptResult(prompt: Prompt, value: unknown): GetPromptResult {
  const { description } = prompt;
  const rest = description === undefined ? {} : { description };
  if (typeof value === 'string') return { ...rest, messages: [{ role: 'user', content: text(value) }] };
  if (Array.isArray(value)) return { ...rest, messages: value as PromptMessage[] };
  if (isObject(value) && 'role' in value) return { ...rest, messages: [value as unknown as PromptMessage] };
  return { ...rest, ...(value as GetPromptResult) };
}
