import { isRecord, tryParseJson } from '../../shared/json.ts';
import type { KnownModel } from '../../shared/questions.ts';
import { RequestError } from '../targets.ts';

/** An unusable response. */
export interface ModelResponse {
  readonly status: number;
  readonly body: string;
  readonly type: string;
  /** Redirect target. */
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
}

const maxMessageLength = 300;

/** Explains an HTTP error of a service. */
export function httpError(model: KnownModel, failed: ModelResponse): RequestError {
  const { status, location, retryAfter } = failed;
  const words = parseErrorMessage(failed.body);
  const details = words === '' ? '' : `: ${words}`;
  if (status >= 300 && status < 400) {
    const where = redirectHost(location, model.endpoint);
    return new RequestError(
      `The service redirects (${status}${where})`,
      'Redirects are not followed, to protect the key. Set up the final URL.',
    );
  }
  if (status === 401 || status === 403) return keyError(model, `(${status})${details}`);
  if (status === 404) {
    return /model/i.test(words)
      ? new RequestError(
          `The service does not know the model ${model.model} (404)${details}`,
          'Set up one of its models.',
        )
      : new RequestError(`There is nothing at ${model.endpoint} (404)${details}`, 'Check the URL and the model.');
  }
  if (status === 408 || status === 504)
    return new RequestError(`The service took too long (${status})${details}`, 'Ask again.');
  if (status === 413)
    return new RequestError(`The question is too long for the service (413)${details}`, 'Answer by hand.');
  if (status === 429) {
    const wait = /^\d{1,6}$/.test(retryAfter ?? '') ? ` in ${retryAfter} seconds` : ' later';
    return new RequestError(
      `The service is rate limited, or the account has no credit left (429)${details}`,
      `Ask again${wait}, or check the limits of your account.`,
    );
  }
  if (status >= 500) {
    return new RequestError(`The service failed (${status})${details}`, 'Try again later.');
  }
  return new RequestError(
    `The service rejects the request (${status})${details}`,
    'The timeline has the request. Try another model, or answer by hand.',
  );
}

/** Explains a response that is no answer. */
export function unexpectedAnswerError(
  model: KnownModel,
  { body, type }: Pick<ModelResponse, 'body' | 'type'>,
): RequestError {
  const isJson = tryParseJson(body) !== undefined;
  const what = isJson ? 'JSON of another kind' : `no JSON${type === '' ? '' : `, but ${type.slice(0, 60)}`}`;
  return new RequestError(
    `The answer is ${what}`,
    `Is ${model.endpoint} the address of ${model.service === 'anthropic' ? 'messages' : 'chat completions'}?`,
  );
}

/** Explains a network error. */
export function networkError(model: KnownModel, error: unknown, timeoutMs: number): RequestError {
  const { host } = new URL(model.endpoint);
  const code = errorCode(error);
  if ((error as Error)?.name === 'TimeoutError') {
    return new RequestError(
      `No response within ${Math.round(timeoutMs / 1000)} seconds`,
      'Try again, or set up a faster model.',
    );
  }
  if (code === 'ECONNREFUSED') {
    return new RequestError(`Nothing listens at ${host}`, 'Is the service running, and is this its port?');
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new RequestError(`The name ${host} is not known`, 'Check the spelling and your network.');
  }
  if (/CERT|SELF_SIGNED|SSL|TLS/.test(code)) {
    return new RequestError(
      `TLS of ${host} does not hold (${code})`,
      'Nothing was sent: the server may be an impostor.',
    );
  }
  return new RequestError(`The connection to ${host} broke${code === '' ? '' : ` (${code})`}`, 'Ask again.');
}

function keyError({ hasKey }: KnownModel, details: string): RequestError {
  return hasKey
    ? new RequestError(
        `The service rejected the key ${details}`,
        'Is it complete, for this service, and still valid? Enter it again.',
      )
    : new RequestError(`The service requires a key ${details}`, 'Set up the model with one.');
}

/** Error message in a response, as one line. */
function parseErrorMessage(body: string): string {
  const value = tryParseJson(body);
  if (!isRecord(value)) return '';
  const { error, message } = value;
  const words = isRecord(error) ? error.message : (error ?? message);
  if (typeof words !== 'string') return '';
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
}

function redirectHost(location: string | undefined, from: string): string {
  return location !== undefined && URL.canParse(location, from) ? ` to ${new URL(location, from).host}` : '';
}

function errorCode(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : errorCode(cause);
}
