import type { KnownModel } from '../../shared/models.ts';
import { Refusal } from '../targets.ts';
import { isPiece } from './parse-question.ts';

/** An answer that is none, as it came. */
export interface Unfit {
  readonly status: number;
  readonly body: string;
  readonly type: string;
  /** Where it leads, where it leads elsewhere. */
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
}

const longestWords = 300;

/** Why a service gave no answer, and what to do about it. */
export function refusedBy(model: KnownModel, unfit: Unfit): Refusal {
  const { status, location, retryAfter } = unfit;
  const words = wordsOf(unfit.body);
  const told = words === '' ? '' : `: ${words}`;
  if (status >= 300 && status < 400) {
    const where = hostOf(location, model.endpoint);
    return new Refusal(
      `The service leads elsewhere (${status}${where})`,
      'That is not followed: the key would go there too. Set up the address where the service is.',
    );
  }
  if (status === 401 || status === 403) return keyRefused(model, `(${status})${told}`);
  if (status === 404) {
    return /model/i.test(words)
      ? new Refusal(`The service does not know the model ${model.model} (404)${told}`, 'Set up one of its models.')
      : new Refusal(`There is nothing at ${model.endpoint} (404)${told}`, 'Look at the address and at the model.');
  }
  if (status === 408 || status === 504)
    return new Refusal(`The service took too long (${status})${told}`, 'Ask again.');
  if (status === 413) return new Refusal(`The question is too long for the service (413)${told}`, 'Answer by hand.');
  if (status === 429) {
    const wait = /^\d{1,6}$/.test(retryAfter ?? '') ? ` in ${retryAfter} seconds` : ' later';
    return new Refusal(
      `The service was asked too often, or the account has nothing left (429)${told}`,
      `Ask again${wait}, or look at the limits of your account.`,
    );
  }
  if (status >= 500) {
    return new Refusal(`The service is in trouble (${status})${told}`, 'That is its own. Ask again later.');
  }
  return new Refusal(
    `The service refuses the request (${status})${told}`,
    'What was sent is in the timeline. Another model may take it; you may also answer by hand.',
  );
}

/** Why an answer that came well is of no use. */
export function notUnderstood(model: KnownModel, { body, type }: Pick<Unfit, 'body' | 'type'>): Refusal {
  const isJson = parsed(body) !== undefined;
  const what = isJson ? 'JSON of another kind' : `no JSON${type === '' ? '' : `, but ${type.slice(0, 60)}`}`;
  return new Refusal(
    `The answer is ${what}`,
    `Is ${model.endpoint} the address of ${model.service === 'anthropic' ? 'messages' : 'chat completions'}?`,
  );
}

/** Why no answer came at all. */
export function notReached(model: KnownModel, error: unknown, timeoutMs: number): Refusal {
  const { host } = new URL(model.endpoint);
  const code = codeOf(error);
  if ((error as Error)?.name === 'TimeoutError') {
    return new Refusal(
      `No answer came within ${Math.round(timeoutMs / 1000)} seconds`,
      'Ask again, or set up a quicker model.',
    );
  }
  if (code === 'ECONNREFUSED') {
    return new Refusal(`Nothing listens at ${host}`, 'Is the service running, and is this its port?');
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new Refusal(`The name ${host} is not known`, 'Look at the spelling, and whether you are in a network.');
  }
  if (/CERT|SELF_SIGNED|SSL|TLS/.test(code)) {
    return new Refusal(`TLS of ${host} does not hold (${code})`, 'Nothing was asked: somebody else may be answering.');
  }
  return new Refusal(`The connection to ${host} broke${code === '' ? '' : ` (${code})`}`, 'Ask again.');
}

function keyRefused({ hasKey }: KnownModel, told: string): Refusal {
  return hasKey
    ? new Refusal(
        `The service does not take the key ${told}`,
        'Is it whole, of this service, and still valid? Type it again.',
      )
    : new Refusal(`The service wants a key ${told}`, 'Set up the model with one.');
}

/** What a service says of its refusal, in a line. */
function wordsOf(body: string): string {
  const value = parsed(body);
  if (!isPiece(value)) return '';
  const { error, message } = value;
  const words = isPiece(error) ? error.message : (error ?? message);
  if (typeof words !== 'string') return '';
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length > longestWords ? `${line.slice(0, longestWords)}…` : line;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hostOf(location: string | undefined, from: string): string {
  return location !== undefined && URL.canParse(location, from) ? ` to ${new URL(location, from).host}` : '';
}

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}
