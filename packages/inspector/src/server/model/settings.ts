import { limits } from '@ccmcp/core';
import type { KnownModel, ModelService } from '../../shared/models.ts';
import { masked } from '../secrets.ts';
import { Refusal } from '../targets.ts';

/** A model that may answer what servers ask. */
export interface ModelOptions {
  /** How its service is spoken to. */
  service: ModelService;
  /** The name of the model, as the service knows it. */
  model: string;
  /** The address of the service: `https:`, or `http:` on this machine. Default: that of Anthropic or OpenAI. */
  url?: string;
  /** What the service lets callers in by. Default: none, as for models on this machine. */
  key?: string;
  /** So many tokens an answer may have, also where a server wants more. Default: 4096. */
  maxTokens?: number;
  /** How long an answer may take. Default: 300 000. */
  timeoutMs?: number;
}

/** Options that were looked at, and what follows from them. */
export interface ModelSettings {
  readonly known: KnownModel;
  readonly key: string | undefined;
  readonly timeoutMs: number;
}

/** Where the services are that the two ways to speak come from. */
export const usualAddresses: Readonly<Record<ModelService, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
};

const ownMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const shortestSecret = 8;

/** Looks at what somebody says of a model; refuses what could not work, or would show the key to others. */
export function modelSettings(options: ModelOptions): ModelSettings {
  const { service, model, key } = options;
  const { maxTokens = limits.inspector.modelTokens.value, timeoutMs = limits.inspector.modelMs.value } = options;
  if (!/^[\x21-\x7e]{1,200}$/.test(model)) {
    throw new Refusal('This is no name of a model', 'It is written as the service writes it, without blanks.');
  }
  // A quotation mark or a backslash is written differently in JSON, where the key would then not be found to be masked.
  if (key !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]{1,4096}$/.test(key)) {
    throw new Refusal('This is no key', 'Copy it from the page of the service, without blanks and line breaks.');
  }
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) throw new Refusal('maxTokens must be a whole number above 0');
  if (!(timeoutMs > 0)) throw new Refusal('timeoutMs must be a number above 0');
  const url = options.url === undefined || options.url === '' ? usualAddresses[service] : options.url;
  const known = { service, url, endpoint: endpointOf(service, url), model, hasKey: key !== undefined, maxTokens };
  return { known, key, timeoutMs };
}

/** The one address that requests go to. */
function endpointOf(service: ModelService, given: string): string {
  if (!URL.canParse(given)) throw new Refusal('This is no address of a service', 'It begins with https://.');
  const url = new URL(given);
  const isOnWay = url.protocol === 'https:' || (url.protocol === 'http:' && ownMachine.test(url.hostname));
  if (!isOnWay) {
    throw new Refusal(
      'Only https: is called, or http: on this machine',
      'Over http: others on the way could read the key and what is asked.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new Refusal('There is a name or password in the address', 'Give what lets you in as the key.');
  }
  if (url.search !== '' || url.hash !== '') throw new Refusal('There is a ? or # in the address', 'Leave it out.');
  const path = url.pathname.replace(/\/+$/, '');
  const isWhole = service === 'anthropic' ? path.endsWith('/v1') : path !== '';
  url.pathname = `${path}${isWhole ? '' : '/v1'}${service === 'anthropic' ? '/messages' : '/chat/completions'}`;
  return url.href;
}

/** Takes a key out of texts. One that is shorter than secrets are would take words out of them. */
export function withoutKey(key: string | undefined): (text: string) => string {
  return key === undefined || key.length < shortestSecret ? (text) => text : (text) => text.replaceAll(key, masked);
}
