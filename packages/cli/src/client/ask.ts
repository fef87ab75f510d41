import type { AnswerOptions, FormAnswer, FormQuestion, UrlQuestion } from '@ccmcp/core/client';
import type { Interface } from 'node:readline/promises';
import { Failure } from './failure.ts';
import { plain } from './output.ts';
import { alternativesOf, propertiesOf, requiredOf, type Schema } from './schema.ts';
import { typeName } from './signature.ts';
import { typedText } from './arguments.ts';

/** How a person is asked one line at a time; undefined means that they have gone. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Whether there is a person to ask. */
export function isAttended(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Answers a server's questions by asking the person on the terminal. Without one, nothing can be asked. */
export function terminalAnswers(open: () => Promise<Interface>): AnswerOptions {
  if (!isAttended()) return {};
  const asking = async <T>(use: (ask: Ask) => Promise<T>): Promise<T> => {
    const terminal = await open();
    const gone = new Promise<undefined>((resolve) => {
      terminal.once('close', () => resolve(undefined));
    });
    return use((question) => Promise.race([terminal.question(question), gone]));
  };
  return {
    elicit: (question) => asking((ask) => fillIn(question, ask)),
    elicitUrl: (question) => asking((ask) => visit(question, ask)),
  };
}

/** Lets a person fill in a form, field by field. */
export async function fillIn({ message, requestedSchema }: FormQuestion, ask: Ask): Promise<FormAnswer> {
  const consent = await ask(`\nThe server asks: ${plain(message)}\nAnswer? [Y]es, [n]o, [c]ancel: `);
  if (consent === undefined || /^c/i.test(consent)) return { action: 'cancel' };
  if (/^n/i.test(consent)) return { action: 'decline' };
  const schema = requestedSchema as Schema;
  const required = new Set(requiredOf(schema));
  const content: Record<string, unknown> = {};
  for (const [name, field] of propertiesOf(schema)) {
    const value = await fieldValue({ name, field, isRequired: required.has(name) }, ask);
    if (value === gone) return { action: 'cancel' };
    if (value !== undefined) content[name] = value;
  }
  return { action: 'accept', content };
}

const gone = Symbol('gone');

interface Field {
  name: string;
  field: Schema;
  isRequired: boolean;
}

/** Asks until the answer fits; an empty one leaves the field out where it may be. */
async function fieldValue({ name, field, isRequired }: Field, ask: Ask): Promise<unknown> {
  const title = typeof field.title === 'string' ? plain(field.title) : name;
  const more = typeof field.description === 'string' ? ` – ${plain(field.description)}` : '';
  const otherwise = field.default === undefined ? '' : ` [${JSON.stringify(field.default)}]`;
  const kind = typeName(field, field, 0);
  for (let problem = ''; ; ) {
    const text = await ask(`${problem}${title} (${kind}${isRequired ? '' : ', optional'})${more}${otherwise}: `);
    if (text === undefined) return gone;
    if (text === '' && (field.default !== undefined || !isRequired)) return undefined;
    try {
      return typedText(text, named(field), name);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problem = `${error.message}\n`;
    }
  }
}

/** Choices with titles are chosen by their value. */
function named(field: Schema): Schema {
  const values = alternativesOf(field).flatMap((one) => (one.const === undefined ? [] : [one.const]));
  return values.length === 0 ? field : { ...field, enum: values };
}

/** Shows a person an address that they are to visit. It is never opened by itself. */
export async function visit(
  { message, url }: UrlQuestion,
  ask: Ask,
): Promise<{ action: 'accept' | 'decline' | 'cancel' }> {
  const question = `\nThe server asks: ${plain(message)}\nIt wants you to visit ${plain(url)}\nDone? [Y]es, [n]o, [c]ancel: `;
  const answer = await ask(question);
  if (answer === undefined || /^c/i.test(answer)) return { action: 'cancel' };
  return { action: /^n/i.test(answer) ? 'decline' : 'accept' };
}
