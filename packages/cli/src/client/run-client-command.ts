import { commands, isOpenCommand } from './commands.ts';
import { Failure } from '../command/failure.ts';
import { parseWords, type Words } from './options.ts';
import { type Output, processOutput } from '../terminal/output.ts';
import { ServerStderr } from './connection/server-stderr.ts';
import { print } from '../terminal/print.ts';
import { targetOf } from './connection/target.ts';
import { host } from '../host.ts';

/** Runs a command of the client side and gives its exit code. What only some of them need is loaded by them: the inspector opens sooner. */
export async function run(name: string, args: readonly string[]): Promise<number> {
  // What was asked for is not yet known when the command line itself is wrong.
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  const json = own.includes('--json');
  let output = processOutput({ json, verbose: own.includes('--verbose') });
  const interrupted = new AbortController();
  const interrupt = (): void => {
    // What the server says about being ended is no news.
    stderr.mute();
    interrupted.abort(new Failure('interrupted', 'Interrupted'));
  };
  host.signals.once('SIGINT', interrupt).once('SIGTERM', interrupt);
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
    const { failureOf } = await import('./connection/to-failure.ts');
    // Whatever fails because of an interruption is no news.
    const { aborted, reason } = interrupted.signal;
    const failure = failureOf(aborted ? reason : error, surroundings.sent);
    quote(stderr, failure, output);
    output.failure(failure, failure.toText());
    return failure.exitCode;
  } finally {
    host.signals.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** A server of any library may have said on stderr why it failed. Where it could not be reached, the failure quotes it. */
function quote({ errors, recent, listener, isConnected }: ServerStderr, failure: Failure, output: Output): void {
  if (failure.kind !== 'tool-error' && failure.kind !== 'refused' && failure.kind !== 'timeout') return;
  failure.said = [...errors, ...recent];
  if (recent.length > 0 && !(isConnected && listener?.line !== undefined))
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
    const { probe } = await import('./commands/probe.ts');
    return probe({ target, options, output: around.output, signal: around.signal });
  }
  if (name === 'login' || name === 'logout' || name === 'whoami') {
    const { aboutLogin } = await import('../login/commands.ts');
    return aboutLogin(name, { target, options, output: around.output, signal: around.signal });
  }
  const { run: runIt } = isOpenCommand(name) ? await commands[name].load() : await import('./shell/shell.ts');
  const { withClient } = await import('./connection/with-client.ts');
  const typed = { word: first, command, flags: serverArgs };
  await withClient({ target, typed, options, ...around }, (context) => runIt(context, own));
  return 0;
}
