import type { CommandContext } from '../command/command.ts';
import { type ClientCommand, type Context, sessionCommands } from './context.ts';
import { Failure } from '../command/failure.ts';
import { parseWords, type ParsedWords } from './options.ts';
import { type Output, processOutput } from '../terminal/output.ts';
import { ServerStderr } from './connection/server-stderr.ts';
import { print } from '../terminal/print.ts';
import { resolveTarget } from './connection/target.ts';
import { host } from '../host.ts';

/** Runs a client command and returns its exit code. Modules that only some commands need are loaded late: the inspector opens sooner. */
export async function runClientCommand(
  command: ClientCommand,
  args: readonly string[],
  { groups }: CommandContext,
): Promise<number> {
  // The command line may be wrong, so these two are read before it is parsed.
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  const json = own.includes('--json');
  let output = processOutput({ json, verbose: own.includes('--verbose') });
  const interrupted = new AbortController();
  const interrupt = (): void => {
    // The server's complaints about its end are irrelevant.
    stderr.mute();
    interrupted.abort(new Failure('interrupted', 'Interrupted'));
  };
  host.signals.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const stderr = new ServerStderr();
  stderr.listener = { error: (text) => output.note(text) };
  const surroundings: RunState = {
    output,
    signal: interrupted.signal,
    stderr,
    sent: {},
    commands: sessionCommands(groups.flatMap((group) => group.commands)),
  };
  try {
    const words = parseWords(args, command);
    output = processOutput(words.options);
    surroundings.output = output;
    const tool = words.help ? helpTopic(command, words) : undefined;
    const show = groups.flatMap(({ commands }) => commands).find(({ name }) => name === 'show') as
      | ClientCommand
      | undefined;
    if (tool !== undefined && show !== undefined) return await execute(show, tool, surroundings);
    if (words.help) {
      print(await command.help());
      return 0;
    }
    return await execute(command, words, surroundings);
  } catch (error) {
    const { toFailure } = await import('./connection/to-failure.ts');
    // An interruption explains all other errors.
    const { aborted, reason } = interrupted.signal;
    const failure = toFailure(aborted ? reason : error, surroundings.sent);
    quoteStderr(stderr, failure, output);
    output.failure(failure, failure.toText());
    return failure.exitCode;
  } finally {
    host.signals.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** A server may have written to stderr why it failed. The failure quotes that. */
function quoteStderr({ errors, recent, listener, isConnected }: ServerStderr, failure: Failure, output: Output): void {
  if (failure.kind !== 'tool-error' && failure.kind !== 'refused' && failure.kind !== 'timeout') return;
  failure.stderrLines = [...errors, ...recent];
  if (recent.length > 0 && !(isConnected && listener?.line !== undefined))
    output.note(`The server wrote to stderr:\n${recent.map((line) => `  ${line}`).join('\n')}`);
}

/** Shows the stderr of a user's own file, for debugging. */
function showServerStderr({ stderr, output }: RunState): void {
  stderr.listener = { error: (text) => output.note(text), line: (text) => output.note(text, 'dim') };
}

/** `call TARGET TOOL --help` shows the tool. */
function helpTopic({ name }: ClientCommand, words: ParsedWords): ParsedWords | undefined {
  const named = words.command === undefined ? words.words.slice(0, 2) : words.words.slice(0, 1);
  const isWhole = named.length === (words.command === undefined ? 2 : 1);
  return name === 'call' && isWhole ? { ...words, words: named } : undefined;
}

interface RunState {
  output: Output;
  signal: AbortSignal;
  stderr: ServerStderr;
  /** The headers of requests, once known. */
  sent: Record<string, string>;
  commands: Context['commands'];
}

async function execute(command: ClientCommand, parsed: ParsedWords, around: RunState): Promise<number> {
  const { words, command: program, serverArgs, options: given } = parsed;
  const { output, signal, commands } = around;
  const done = command.runWithoutTarget?.({ words: parsed, output, signal });
  if (done !== undefined) return done;
  const [first, ...rest] = words;
  const target = await resolveTarget(first, program, { serverArgs, env: given.env });
  const { headers, env, note } = target.configured ?? { headers: {}, env: {} };
  const options = { ...given, headers: { ...headers, ...given.headers }, env: { ...env, ...given.env } };
  if (note !== undefined) output.note(note);
  around.sent = options.headers;
  if (target.kind === 'command' && target.isOwnFile) showServerStderr(around);
  if (command.loadSession === undefined) return (await command.runOnTarget?.({ target, options, output, signal })) ?? 0;
  const { run } = await command.loadSession();
  const { withClient } = await import('./connection/open-client.ts');
  const typed = { word: first, command: program, flags: serverArgs };
  await withClient({ target, typed, options, output, signal, stderr: around.stderr, commands }, (context) =>
    run(context, program === undefined ? rest : words),
  );
  return 0;
}
