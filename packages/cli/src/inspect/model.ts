import { readFileSync, statSync } from 'node:fs';
import type { ModelOptions } from '@ccmcp/inspector';
import { Failure } from '../command/failure.ts';
import type { ModelArguments } from '../client/options.ts';

/** More than any key has. */
const longestKey = 65_536;

/** The model that a command line names for the inspector, with its key; undefined where it names none. */
export function resolveModel({ name, service, url, keyEnv, keyFile }: ModelArguments): ModelOptions | undefined {
  if (name === undefined) {
    const others = {
      '--model-service': service,
      '--model-url': url,
      '--model-key-env': keyEnv,
      '--model-key-file': keyFile,
    };
    const [stray] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
    if (stray !== undefined) throw new Failure('usage', `${stray} is for a model, which --model NAME names`);
    return undefined;
  }
  if (keyEnv !== undefined && keyFile !== undefined) {
    throw new Failure('usage', 'There is one key: --model-key-env or --model-key-file');
  }
  const key = keyEnv === undefined ? keyFile && keyInFile(keyFile) : keyInVariable(keyEnv);
  return {
    model: name,
    service: service ?? (/^claude/i.test(name) ? 'anthropic' : 'openai'),
    ...(url !== undefined && { url }),
    ...(key !== undefined && { key }),
  };
}

function keyInVariable(variable: string): string {
  const key = process.env[variable]?.trim() ?? '';
  // The value may be the key itself: it must not appear in an error.
  if (!/^[A-Za-z_]\w*$/.test(variable)) throw new Failure('usage', '--model-key-env takes the name of a variable');
  if (key === '') throw new Failure('usage', `--model-key-env: there is no variable ${variable}, or nothing in it`);
  return key;
}

function keyInFile(file: string): string {
  let key: string;
  try {
    if (statSync(file).size > longestKey) throw new Error('it is longer than any key');
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Failure('usage', `--model-key-file: ${file} can't be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (key === '') throw new Failure('usage', `--model-key-file: there is nothing in ${file}`);
  return key;
}
