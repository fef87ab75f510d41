import { createHash } from 'node:crypto';
import { isObject } from '../../jsonrpc/message.ts';
import { escapeUnseen } from '../../jsonrpc/text.ts';

/** The maximum length of texts outside of the arguments, such as tool names, in characters. */
const maxText = 256;

/** Most texts need no escaping, and the check is faster than escaping. */
const needsEscape = /[^ !#-[\]-~]/;

/** Quotes a text as JSON, with control characters escaped. */
export function quoteJson(text: string): string {
  return needsEscape.test(text) ? escapeUnseen(JSON.stringify(text)) : `"${text}"`;
}

/**
 * Returns the replacement for a value in the log; `undefined` applies the default masking. `path` is the path of the
 * value from the arguments.
 */
export type Redact = (path: readonly (string | number)[], value: unknown) => unknown;

/** The replacement for a secret. */
export const mask = '[masked]';

/** The maximum length of a value in the arguments, in characters; longer ones are truncated. */
const longestValue = 256;
/** The maximum length of all arguments, or of a result, in characters. */
const longestContents = 8192;
/** The maximum nesting depth of arguments. */
const deepest = 8;
/** The maximum members of a list or object. */
const mostMembers = 64;
/** The length of a truncated value, in characters. */
const truncatedLength = 64;
const longestName = 64;
const omitted = '[left out]';
const quotedOmitted = `"${omitted}"`;

/** Words that mark the value of a name as secret, such as the `key` of `apiKey`, `api_key` and `API-Key`. */
const secretWords = new Set(
  `password passwd pwd passphrase passcode pass secret secrets token tokens authorization auth credential credentials
  cookie cookies key keys apikey otp pin cvv cvc signature bearer jwt session sessionid ssn pat privatekey accesskey
  accesstoken refreshtoken clientsecret`.split(/\s+/),
);

/** Texts that look like secrets anywhere. Unambiguous, so matching takes linear time. */
const secretTexts =
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*|\b(?:Bearer|Basic) +[\w.~+/=-]{6,}|\b(?:sk|pk|rk)[-_][\w-]{12,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{8,}|\bnpm_\w{20,}|\bA(?:KIA|SIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*-----)?/g;

/** A password in a URL, and a named secret: `token=…`, `"password": "…"`. */
const secretParts =
  /(:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,1024}(?=@)|((?:password|passwd|pwd|passphrase|secret|token|api[-_]?key|access[-_]?key|authorization|signature|credential)s?["']?\s{0,8}[:=]\s{0,8}["']?)[^\s"'&,;]{1,4096}/gi;

/** A fast pre-check: every text with a secret contains one of these. */
const mayHoldSecret = /[:=@]|eyJ|[prs]k[-_]|gh[pousr]_|github_pat_|glpat-|xox|npm_|A[KS]IA|AIza|-----|Bearer |Basic /;

/** Masks secrets in a text. */
export function maskText(text: string): string {
  if (!mayHoldSecret.test(text)) return text;
  return text
    .replace(secretTexts, mask)
    .replace(secretParts, (_, address: string | undefined, name: string | undefined) => `${address ?? name}${mask}`);
}

/** Caches results: there are few names, and the check is the slowest step. */
const known = new Map<string, boolean>();
/** The maximum cached names. */
const mostKnown = 1000;

/** Whether the values of this name are secret. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const secret = namesSecret(name);
  if (known.size >= mostKnown) known.clear();
  if (name.length <= longestName) known.set(name, secret);
  return secret;
}

function namesSecret(name: string): boolean {
  const words = name
    .slice(0, longestName)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => secretWords.has(word)) || secretWords.has(words.join(''));
}

/** Masks and truncates a text outside of the arguments. */
export function truncateMasked(text: string, most: number = maxText): string {
  if (text.length <= most) return maskText(text);
  const shown = maskText(text.slice(0, 4 * most));
  return shown.length <= most && text.length <= 4 * most ? shown : `${shown.slice(0, most)}…`;
}

/** Caches quoted names of methods, tools, callers and programs. */
const knownQuotes = new Map<string, string>();

/** Quotes a name as JSON, masked and truncated. */
export function quoteName(name: string): string {
  const before = knownQuotes.get(name);
  if (before !== undefined) return before;
  const made = quoteJson(truncateMasked(name));
  if (name.length > longestName) return made;
  if (knownQuotes.size >= mostKnown) knownQuotes.clear();
  knownQuotes.set(name, made);
  return made;
}

/** Serializes arguments or a result for the log, with secrets masked. */
export function redactToJson(value: unknown, redact?: Redact): string {
  return new Redaction(redact).of(value, redact === undefined ? undefined : [], { depth: 0, name: '' });
}

type Path = readonly (string | number)[];

/** The depth and the name of a value. */
interface Place {
  readonly depth: number;
  readonly name: string;
}

/** Serializes a value without building a redacted copy. Creates paths only for a custom `redact`. */
class Redaction {
  readonly #redact: Redact | undefined;
  #left = longestContents;

  constructor(redact: Redact | undefined) {
    this.#redact = redact;
  }

  of(value: unknown, path: Path | undefined, place: Place): string {
    if (this.#left <= 0) return quotedOmitted;
    const own = path === undefined || path.length === 0 ? undefined : this.#redact?.(path, value);
    const given = own === undefined ? value : own;
    const { name } = place;
    if (name !== '' && given !== null && typeof given !== 'boolean' && isSecretName(name)) return this.#spend(mask);
    if (typeof given === 'string') return this.#spend(truncateValue(given));
    if (Array.isArray(given)) return this.#list(given, path, place);
    if (isObject(given)) return this.#object(given, path, place);
    this.#left -= 8;
    return typeof given === 'boolean' || (typeof given === 'number' && Number.isFinite(given)) ? String(given) : 'null';
  }

  #list(list: readonly unknown[], path: Path | undefined, { depth, name }: Place): string {
    if (depth >= deepest) return this.#spend(omitted);
    const place = { depth: depth + 1, name };
    let items = '';
    for (let index = 0; index < list.length && index < mostMembers; index += 1) {
      items += `${index === 0 ? '' : ','}${this.of(list[index], path && [...path, index], place)}`;
    }
    return list.length > mostMembers ? `[${items},"[${list.length - mostMembers} more]"]` : `[${items}]`;
  }

  #object(object: Record<string, unknown>, path: Path | undefined, { depth }: Place): string {
    if (depth >= deepest) return this.#spend(omitted);
    let members = '';
    let count = 0;
    const names = Object.keys(object);
    for (const name of names) {
      if (count === mostMembers) break;
      this.#left -= name.length;
      const shown = name.length > longestName ? quoteJson(truncateMasked(name, longestName)) : quoteName(name);
      const value = this.of(object[name], path && [...path, name], { depth: depth + 1, name });
      members += `${count === 0 ? '' : ','}${shown}:${value}`;
      count += 1;
    }
    return names.length > mostMembers ? `{${members},"…":"[${names.length - mostMembers} more]"}` : `{${members}}`;
  }

  #spend(text: string): string {
    this.#left -= text.length + 2;
    return quoteJson(text);
  }
}

/** Truncates a long text: its start, its length and a digest. */
function truncateValue(text: string): string {
  if (text.length <= longestValue) return maskText(text);
  const beginning = text.slice(0, 4 * longestValue);
  const shown = maskText(beginning);
  // No digest for a text with a secret: it would allow to guess the secret.
  const digest = shown === beginning ? `, sha256 ${createHash('sha256').update(text).digest('hex')}` : '';
  return `${shown.slice(0, truncatedLength)}… [${text.length} characters${digest}]`;
}
