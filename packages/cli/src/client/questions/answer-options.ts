import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnswerOptions } from '@ccmcp/core/client';
import { createAsk, isAttended, terminalAnswers } from './ask.ts';
import { Failure } from '../../command/failure.ts';
import type { ClientOptions } from '../options.ts';
import type { Terminal } from '../../terminal/terminal.ts';

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
    const { askPersonToSample: sampleByHand } = await import('./sample.ts');
    return sampleByHand(question, createAsk(await terminal.open(), signal));
  };
}

function toRoot(folder: string): { uri: string; name: string } {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Failure('usage', `--root must be a folder: ${folder}`);
  }
  return { uri: pathToFileURL(path).href, name: basename(path) };
}
