import { limits } from '@ccmcp/core';
import type { KnownModel, ModelService } from '../../shared/questions.ts';
import { mask } from '@ccmcp/core/recording';
import { RequestError } from '../targets.ts';

/** A model that may answer sampling requests. */
export interface ModelOptions {
  /** API of its service. */
  service: ModelService;
  /** Model name at the service. */
  model: string;
  /** URL of the service: `https:`, or `http:` on loopback. Default: that of Anthropic or OpenAI. */
  url?: string;
  /** API key. Default: none, as for local models. */
  key?: string;
  /** Token limit of an answer, even if a server requests more. Default: 4096. */
  maxTokens?: number;
  /** Timeout of an answer, in milliseconds. Default: 300 000. */
  timeoutMs?: number;
}

/** Validated options. */
export interface ModelSettings {
  readonly known: KnownModel;
  readonly key: string | undefined;
  readonly timeoutMs: number;
}

/** Default URL of each API. */
export const defaultUrls: Readonly<Record<ModelService, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
};

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const minSecretLength = 8;

/** Validates model options; rejects settings that can't work or would expose the key. */
export function parseModelSettings(options: ModelOptions): ModelSettings {
  const { service, model, key } = options;
  const { maxTokens = limits.inspector.modelTokens.value, timeoutMs = limits.inspector.modelMs.value } = options;
  if (!/^[\x21-\x7e]{1,200}$/.test(model)) {
    throw new RequestError('Invalid model name', 'Use the name from the service, without spaces.');
  }
  // Quotes and backslashes are escaped in JSON, where masking would miss the key.
  if (key !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]{1,4096}$/.test(key)) {
    throw new RequestError('Invalid key', 'Copy it from the service, without spaces and line breaks.');
  }
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1)
    throw new RequestError('maxTokens must be a whole number above 0');
  if (!(timeoutMs > 0)) throw new RequestError('timeoutMs must be a number above 0');
  const url = options.url === undefined || options.url === '' ? defaultUrls[service] : options.url;
  const known = { service, url, endpoint: resolveEndpoint(service, url), model, hasKey: key !== undefined, maxTokens };
  return { known, key, timeoutMs };
}

/** The endpoint of all requests. */
function resolveEndpoint(service: ModelService, given: string): string {
  if (!URL.canParse(given)) throw new RequestError('Invalid service URL', 'It must start with https://.');
  const url = new URL(given);
  const isOnWay = url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHost.test(url.hostname));
  if (!isOnWay) {
    throw new RequestError(
      'Only https: URLs are allowed, or http: on this machine',
      'Over http:, others on the network could read the key and the questions.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new RequestError('The URL contains a user name or password', 'Enter credentials as the key.');
  }
  if (url.search !== '' || url.hash !== '') throw new RequestError('The URL contains a ? or #', 'Leave it out.');
  const path = url.pathname.replace(/\/+$/, '');
  const isWhole = service === 'anthropic' ? path.endsWith('/v1') : path !== '';
  url.pathname = `${path}${isWhole ? '' : '/v1'}${service === 'anthropic' ? '/messages' : '/chat/completions'}`;
  return url.href;
}

/** Creates a function that masks a key. Short keys would mask ordinary words. */
export function createKeyMask(key: string | undefined): (text: string) => string {
  return key === undefined || key.length < minSecretLength ? (text) => text : (text) => text.replaceAll(key, mask);
}
