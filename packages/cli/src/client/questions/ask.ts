import type { Interface } from 'node:readline/promises';
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type AnswerOptions,
  checkValue,
  type FormAnswer,
  type FormQuestion,
  type UrlQuestion,
} from '@ccmcp/core/client';
import { Failure } from '../../command/failure.ts';
import { toOneLine, escapeControls, safeJson } from '../../terminal/print.ts';
import { alternativesOf, propertiesOf, requiredOf, resolveRef, type Schema } from '../describe/schema.ts';
import { describeBounds } from '../describe/schema-rows.ts';
import { typeName } from '../describe/signature.ts';
import { parseTyped } from '../arguments/arguments.ts';
import { host } from '../../host.ts';
import type { ClientOptions } from '../options.ts';
import type { Ask, Terminal } from '../../terminal/terminal.ts';

/** Whether a user is at the terminal. */
export function isAttended(): boolean {
  return host.stdin.isTTY && host.stderr.isTTY;
}

/** Answers a server's questions by asking the user at the terminal, if there is one. */
function terminalAnswers(open: () => Promise<Interface>): AnswerOptions {
  if (!isAttended()) return {};
  return {
    elicit: async (question, { signal }) => fillForm(question, createAsk(await open(), signal)),
    elicitUrl: async (question, { signal }) => confirmVisit(question, createAsk(await open(), signal)),
  };
}

type Asked = Pick<Interface, 'question' | 'once'>;

/** A promise for the end of each terminal, shared by all questions. */
const ends = new WeakMap<Asked, Promise<undefined>>();

/**
 * Asks on a terminal until the signal aborts the question. Escapes control characters, because questions come from a
 * server.
 */
export function createAsk(terminal: Asked, signal: AbortSignal = new AbortController().signal): Ask {
  const end =
    ends.get(terminal) ?? new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  ends.set(terminal, end);
  return (question) => {
    const answer = terminal.question(escapeControls(question), { signal }).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    return Promise.race([answer, end]);
  };
}

/** Asks the user to fill in a form, field by field. */
export async function fillForm({ message, requestedSchema }: FormQuestion, ask: Ask): Promise<FormAnswer> {
  const action = await askConsent(`\nThe server asks: ${message}\nAnswer?`, ask);
  if (action !== 'accept') return { action };
  const schema = requestedSchema as Schema;
  const required = new Set(requiredOf(schema));
  const content: Record<string, unknown> = {};
  for (const [name, given] of propertiesOf(schema)) {
    const field = resolveRef(given, schema);
    const value = await fieldValue({ name, field, isRequired: required.has(name), form: schema }, ask);
    if (value === inputEnded) return { action: 'cancel' };
    if (value !== undefined) content[name] = value;
  }
  return { action: 'accept', content };
}

/** Asks until the answer is clear; the return key alone means yes. */
async function askConsent(question: string, ask: Ask): Promise<'accept' | 'decline' | 'cancel'> {
  for (let text = question; ; text = 'Type y, n or c.') {
    const answer = (await ask(`${text} [Y]es, [n]o, [c]ancel: `))?.trim().toLowerCase();
    if (answer === undefined || answer === 'c' || answer === 'cancel') return 'cancel';
    if (answer === 'n' || answer === 'no') return 'decline';
    if (answer === '' || answer === 'y' || answer === 'yes') return 'accept';
  }
}

const inputEnded = Symbol('input ended');

interface Field {
  name: string;
  field: Schema;
  isRequired: boolean;
  /** The schema of the whole form. */
  form: Schema;
}

/** Asks until the answer is valid; an empty one omits an optional field. */
async function fieldValue(given: Field, ask: Ask): Promise<unknown> {
  const { name, field, isRequired } = given;
  const title = typeof field.title === 'string' ? field.title : name;
  const more = typeof field.description === 'string' ? ` – ${field.description}` : '';
  const otherwise = field.default === undefined ? '' : ` [${safeJson(field.default)}]`;
  const kind = [typeName(field, field, 0), ...describeBounds(field), ...(isRequired ? [] : ['optional'])].join(', ');
  for (let problem = ''; ; ) {
    const text = await ask(`${problem}${title} (${kind})${more}${otherwise}: `);
    if (text === undefined) return inputEnded;
    if (text === '' && (field.default !== undefined || !isRequired)) return undefined;
    try {
      const value = parseTyped(text, withEnum(field), name);
      const wrong = await problemsOf(value, given);
      if (wrong.length === 0) return value;
      problem = `${wrong.map((each) => `"${name}": ${each}`).join('\n')}\n`;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problem = `${error.message}\n`;
    }
  }
}

/** The problems of a value. An unusable schema is left to the server. */
async function problemsOf(value: unknown, { name, field, form }: Field): Promise<string[]> {
  const schema = { ...form, properties: { [name]: field }, required: [name] };
  const checked = await checkValue(schema, { [name]: value });
  return 'problems' in checked ? checked.problems.map(({ message }) => message) : [];
}

/** Choices with titles are selected by value. */
function withEnum(field: Schema): Schema {
  const values = alternativesOf(field).flatMap((one) => (one.const === undefined ? [] : [one.const]));
  return values.length === 0 ? field : { ...field, enum: values };
}

/** Shows the user a URL to visit. It is never opened automatically. */
export async function confirmVisit(
  { message, url }: UrlQuestion,
  ask: Ask,
): Promise<{ action: 'accept' | 'decline' | 'cancel' }> {
  const question = `\nThe server asks: ${message}\nIt wants you to visit ${toOneLine(url)}\nDone?`;
  return { action: await askConsent(question, ask) };
}

/** The answers to a server's questions: by options, else by the user at the terminal. */
export async function answerOptions(
  { roots, sampleWith, detach }: ClientOptions,
  terminal: Terminal,
): Promise<AnswerOptions> {
  // The questions of a task can be answered later.
  const unattended = detach && !isAttended() ? { elicitation: { form: {}, url: {} } } : {};
  return {
    ...terminalAnswers(() => terminal.open()),
    capabilities: unattended,
    ...(isAttended() && { sample: sampleFromPerson(terminal) }),
    ...(roots.length > 0 && { roots: roots.map(toRoot) }),
    ...(sampleWith !== undefined && {
      sample: (await import('./sample.ts')).sampleWith(sampleWith),
      // The command gets the request unchanged, tools included.
      capabilities: { ...unattended, sampling: { tools: {} } },
    }),
  };
}

function sampleFromPerson(terminal: Terminal): NonNullable<AnswerOptions['sample']> {
  return async (question, { signal }) => {
    const { askPersonToSample } = await import('./sample.ts');
    return askPersonToSample(question, createAsk(await terminal.open(), signal));
  };
}

function toRoot(folder: string): { uri: string; name: string } {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Failure('usage', `--root must be a folder: ${folder}`);
  }
  return { uri: pathToFileURL(path).href, name: basename(path) };
}
