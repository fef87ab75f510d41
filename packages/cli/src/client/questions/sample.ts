import { spawn } from 'node:child_process';
import { ProtocolError } from '@ccmcp/core';
import type { AnswerOptions, SampleAnswer } from '@ccmcp/core/client';
import { messageLine } from '../../terminal/message-line.ts';
import { stringifyDeep, printStderr } from '../../terminal/print.ts';
import type { Ask } from '../../terminal/terminal.ts';

type Sample = NonNullable<AnswerOptions['sample']>;
type SampleQuestion = Parameters<Sample>[0];

/** The error code for a rejection by the user. */
const rejected = -1;
/** The maximum length of an answer. */
const maxCharacters = 16 * 1024 * 1024;

/** Asks the user to answer for a model, line by line. */
export async function askPersonToSample(question: SampleQuestion, ask: Ask): Promise<SampleAnswer> {
  const { systemPrompt, messages, maxTokens } = question;
  const shown = [
    ...(systemPrompt === undefined ? [] : [`system: ${systemPrompt}`]),
    ...messages.map(({ role, content }) => `${role}: ${messageText(content)}`),
  ].join('\n');
  const consent = await ask(
    `\nThe server asks for the answer of a model, of ${maxTokens} tokens at most:\n${shown}\nAnswer for it? [Y]es, [n]o: `,
  );
  if (consent === undefined || /^[nc]/i.test(consent))
    throw new ProtocolError(rejected, 'The user rejected the request');
  const lines: string[] = [];
  for (let text = 'The answer; an empty line ends it: '; ; text = '… ') {
    const line = await ask(text);
    if (line === undefined) throw new ProtocolError(rejected, 'The user went away');
    if (line === '') break;
    lines.push(line);
  }
  return textAnswer(lines.join('\n'), 'person');
}

function messageText(content: SampleQuestion['messages'][number]['content']): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}

/** Answers with the output of a command, which reads the request as JSON on stdin. */
export function sampleWith(command: string): Sample {
  return async (question, { signal }) => {
    const printed = await runCommand(command, stringifyDeep(question), signal);
    const model = command.trim().split(/\s+/, 1)[0] ?? command;
    return parseAnswer(printed, model) ?? textAnswer(printed.replace(/\r?\n$/, ''), model);
  };
}

/** Parses an answer in the format of the protocol; undefined for plain text. */
function parseAnswer(printed: string, model: string): SampleAnswer | undefined {
  try {
    const value: unknown = JSON.parse(printed);
    if (typeof value !== 'object' || value === null || !('content' in value)) return undefined;
    const { content } = value;
    const isContent = typeof content === 'object' && content !== null;
    return isContent ? ({ role: 'assistant', model, ...value } as SampleAnswer) : undefined;
  } catch {
    return undefined;
  }
}

function textAnswer(text: string, model: string): SampleAnswer {
  return { role: 'assistant', content: { type: 'text', text }, model, stopReason: 'endTurn' };
}

/** The command is the user's, so it runs in a shell; server data reaches it on stdin only. */
function runCommand(command: string, input: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'pipe'], signal });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.length > maxCharacters) child.kill();
    });
    child.stderr.setEncoding('utf8').on('data', printStderr);
    child.on('error', reject);
    child.on('close', (code, ended) => {
      if (code === 0) resolve(printed);
      else if (!signal.aborted)
        reject(toProtocolError(`The command of --sample-with ended with ${code ?? ended}: ${command}`));
    });
    // The command may exit without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** The user sees the error of the command; the server only that there is no answer. */
function toProtocolError(message: string): ProtocolError {
  printStderr(messageLine(message));
  return new ProtocolError(rejected, 'The client got no answer from its model');
}
