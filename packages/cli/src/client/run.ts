import type { Client } from '@ccmcp/core/client';
import type { Context, Run } from './command.ts';
import { commands, isOpenCommand } from './commands.ts';
import { failureOf } from './explain.ts';
import { Failure } from './failure.ts';
import { processData } from './given-data.ts';
import { type Opening, openClient } from './open.ts';
import { parseWords, type Words } from './options.ts';
import { type Output, processOutput } from './output.ts';
import { ServerStderr } from './server-stderr.ts';
import { startFailure } from './start-failure.ts';
import { print } from '../print.ts';
import { targetOf } from './target.ts';
import { processTerminal } from './terminal.ts';

/** Runs a command of the client side and gives its exit code. */
export async function run(name: string, args: readonly string[]): Promise<number> {
  // What was asked for is not yet known when the command line itself is wrong.
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  const json = own.includes('--json');
  let output = processOutput({ json, verbose: own.includes('--verbose') });
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Failure('interrupted', 'Interrupted'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const stderr = new ServerStderr();
  stderr.listener = { error: (text) => output.note(text) };
  const surroundings: Surroundings = { output, signal: interrupted.signal, stderr, sent: {} };
  try {
    const words = parseWords(args, { ids: name === 'tasks', of: name });
    output = processOutput(words.options);
    surroundings.output = output;
    const asked = words.help ? askedTool(name, words) : undefined;
    if (asked !== undefined) return await perform('show', asked, surroundings);
    if (words.help) {
      const { commandHelp } = await import('./help.ts');
      print(commandHelp(name));
      return 0;
    }
    return await perform(name, words, surroundings);
  } catch (error) {
    const failure = failureOf(error, surroundings.sent);
    quote(stderr, failure, output);
    output.failure(failure, failure.toText());
    return failure.exitCode;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** A server of any library may have said on stderr why it failed. Where it could not be reached, the failure quotes it. */
function quote({ errors, recent, listener }: ServerStderr, failure: Failure, output: Output): void {
  if (failure.kind !== 'tool-error' && failure.kind !== 'refused') return;
  failure.said = [...errors, ...recent];
  if (recent.length > 0 && listener?.line === undefined)
    output.note(`The server wrote to stderr:\n${recent.map((line) => `  ${line}`).join('\n')}`);
}

/** Who tries a file of their own looks for what it prints, with `console.log` too. */
function showAll({ stderr, output }: Surroundings): void {
  stderr.listener = { error: (text) => output.note(text), line: (text) => output.note(text, 'dim') };
}

/** `call TARGET TOOL --help` is about the tool. */
function askedTool(name: string, words: Words): Words | undefined {
  const named = words.command === undefined ? words.words.slice(0, 2) : words.words.slice(0, 1);
  const isWhole = named.length === (words.command === undefined ? 2 : 1);
  return name === 'call' && isWhole ? { ...words, words: named } : undefined;
}

interface Surroundings {
  output: Output;
  signal: AbortSignal;
  stderr: ServerStderr;
  /** The headers that the server is sent, once they are known. */
  sent: Record<string, string>;
}

async function perform(name: string, asked: Words, around: Surroundings): Promise<number> {
  const { words, command, serverArgs, options: given } = asked;
  if (name === 'inspect') {
    const { inspect } = await import('../inspect/inspect.ts');
    return inspect({ words: asked, output: around.output, signal: around.signal });
  }
  const [first, ...rest] = words;
  if ((name === 'logout' || name === 'whoami') && first === undefined && command === undefined) {
    const { aboutAll } = await import('../login/commands.ts');
    return aboutAll(name, { options: given, output: around.output });
  }
  const target = await targetOf(first, command, { serverArgs, env: given.env });
  const { headers, env, note } = target.configured ?? { headers: {}, env: {} };
  const options = { ...given, headers: { ...headers, ...given.headers }, env: { ...env, ...given.env } };
  if (note !== undefined) around.output.note(note);
  around.sent = options.headers;
  if (target.kind === 'command' && target.isOwnFile) showAll(around);
  const own = command === undefined ? rest : words;
  if (name === 'probe') {
    const { probe } = await import('./probe.ts');
    return probe({ target, options, output: around.output, signal: around.signal });
  }
  if (name === 'login' || name === 'logout' || name === 'whoami') {
    const { aboutLogin } = await import('../login/commands.ts');
    return aboutLogin(name, { target, options, output: around.output, signal: around.signal });
  }
  const { run: runIt } = isOpenCommand(name) ? await commands[name].load() : await import('./shell.ts');
  const terminal = processTerminal();
  try {
    const typed = { word: first, command, flags: serverArgs };
    await within({ target, typed, options, terminal, ...around }, (context) => runIt(context, own));
  } finally {
    terminal.close();
  }
  return 0;
}

/** Runs something with a client that is closed afterwards, whatever happens. */
async function within(
  opening: Opening & Pick<Context, 'typed' | 'stderr'>,
  use: (context: Context) => ReturnType<Run>,
): Promise<void> {
  let lose: (reason: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    lose = resolve;
  });
  const client: Client = await openClient({ ...opening, onClose: (reason) => lose(reason) }).catch((error: unknown) =>
    Promise.reject(startFailure(error, opening.target)),
  );
  opening.stderr.forget();
  const data = processData({ inShell: false, signal: opening.signal });
  const interrupted = new Promise<never>((_, reject) => {
    const { signal } = opening;
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  // Whoever is not waiting for it any more need not hear of it.
  interrupted.catch(() => {});
  const context: Context = { ...opening, client, lost, data };
  try {
    await Promise.race([use(context), interrupted]);
  } finally {
    await context.last;
    await client.close();
  }
}
