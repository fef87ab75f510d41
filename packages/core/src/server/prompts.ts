import { isObject } from '../jsonrpc/message.ts';
import { text } from '../protocol/content.ts';
import type { PromptListing } from '../protocol/listing.ts';
import type { GetPromptResult, PromptMessage } from '../protocol/results.ts';
import type { Prompt } from './define.ts';
import { describe } from './listing-fields.ts';
import type { Registered } from './registry.ts';

/** A registered prompt with what is worked out of it once. */
export interface PromptEntry extends Registered {
  readonly prompt: Prompt;
  readonly listing: PromptListing;
}

/** Checks a prompt's definition and works out its listing. */
export function preparePrompt(prompt: Prompt, position: number): PromptEntry {
  const { name } = prompt;
  if (typeof name !== 'string' || name === '') throw new TypeError('A prompt needs a name');
  const args = Object.entries(prompt.arguments ?? {}).map(([argument, { title, description, required }]) => ({
    name: argument,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    required: required === true,
  }));
  const listing = describe<PromptListing>({ name }, prompt);
  if (args.length > 0) listing.arguments = args;
  return { key: name, position, prompt, listing };
}

/** Turns what a prompt's handler returned into a result. */
export function toPromptResult(prompt: Prompt, value: unknown): GetPromptResult {
  const { description } = prompt;
  const rest = description === undefined ? {} : { description };
  if (typeof value === 'string') return { ...rest, messages: [{ role: 'user', content: text(value) }] };
  if (Array.isArray(value)) return { ...rest, messages: value as PromptMessage[] };
  if (isObject(value) && 'role' in value) return { ...rest, messages: [value as unknown as PromptMessage] };
  return { ...rest, ...(value as GetPromptResult) };
}
