import type { Client, Progress } from '@ccmcp/core/client';
import type { RemoteTask } from '@ccmcp/core/tasks';
import { parseToolArguments } from '../arguments/arguments.ts';
import { showResult } from '../describe/result.ts';
import type { Context } from '../context.ts';
import { Failure } from '../../command/failure.ts';
import { assertNotHeldBack, requestLogLevel } from '../connection/open-client.ts';
import { missingName, unknownName } from '../describe/server-lists.ts';

/** Calls a tool and shows its result, with progress and the server's log meanwhile. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  const { client, output, options, data, signal } = context;
  const [name, ...rest] = words;
  if (name === undefined)
    throw missingName(
      'tool',
      (await toolsOf(client)).map((each) => each.name),
    );
  if (rest.includes('--help')) return (await import('./show.ts')).show(context, name);
  if (options.detach) requireAddress(context);
  const tool = await findTool(client, name);
  const args = await parseToolArguments(tool, rest, data);
  await requestLogLevel(client, options);
  const isPlain = isAsciiTerminal(process.env, process.platform);
  const onProgress = (progress: Progress): void => output.status(progressBar(progress, { isPlain }));
  const { idempotencyKey } = options;
  const given = { signal, onProgress, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  if (!options.detach && !mayBeTask(client, tool)) {
    const called = client.callTool(name, args, given);
    return showResult(context, name, await called.finally(() => output.status(undefined)));
  }
  const { tasksOf } = await import('@ccmcp/core/tasks');
  const starting = tasksOf(client).start(name, args, given);
  const task = await starting.finally(() => output.status(undefined));
  if (options.detach && task.taskId !== undefined) return reportDetached(context, task);
  if (options.detach) output.note('The tool answered at once: there is no task.');
  const { waitForTask } = await import('../tasks/wait-for-task.ts');
  await showResult(context, name, await waitForTask(context, task, { cancels: true }));
}

/** Whether the call may become a task. In the handshake era the client decides, and asks for one only if the tool requires it. */
function mayBeTask(client: Client, tool: object): boolean {
  if (client.era === 'stateless') return client.supports('io.modelcontextprotocol/tasks');
  const { execution } = tool as { execution?: { taskSupport?: unknown } };
  return execution?.taskSupport === 'required';
}

function requireAddress({ target }: Context): void {
  if (target.kind === 'url') return;
  throw new Failure(
    'usage',
    '--detach is for a URL: a server that the command starts ends with it, and so do its tasks',
    {
      hint: 'Leave it out to wait for the result, or serve it over HTTP: "ccmcp serve FILE --http".',
    },
  );
}

function reportDetached({ output, target }: Context, { taskId = '', status, handle }: RemoteTask): void {
  output.value({ ...handle, status }, () => taskId);
  output.note(`The task keeps running. Its result: ccmcp tasks ${target.label} wait ${taskId}`, 'dim');
}

async function toolsOf(client: Client) {
  return client.capabilities.tools === undefined ? [] : client.listTools().all();
}

/** The tool of this name, as the server lists it. */
async function findTool(client: Client, name: string) {
  const tools = await toolsOf(client);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  await assertNotHeldBack(client, 'tool', name);
  const names = tools.map((candidate) => candidate.name);
  throw unknownName('tool', name, names);
}

/** The width of the progress bar. */
const barWidth = 20;

/** Formats progress as one line of text. */
export function formatProgress({ progress, total, message }: Progress): string {
  const far = total === undefined || total <= 0 ? String(progress) : `${Math.round((100 * progress) / total)}%`;
  return message === undefined ? far : `${far} ${message}`;
}

/** Formats progress with a bar, if the total is known. */
export function progressBar(given: Progress, { isPlain }: { isPlain: boolean }): string {
  const { progress, total } = given;
  const part = total === undefined || total <= 0 ? Number.NaN : progress / total;
  if (!Number.isFinite(part)) return formatProgress(given);
  const full = Math.round(Math.min(1, Math.max(0, part)) * barWidth);
  const [done, left] = isPlain ? ['#', '-'] : ['█', '░'];
  return `${done.repeat(full)}${left.repeat(barWidth - full)} ${formatProgress(given)}`;
}

/** Whether the terminal supports ASCII only. */
export function isAsciiTerminal(env: Readonly<Record<string, string | undefined>>, platform: string): boolean {
  if (platform === 'win32') return env.WT_SESSION === undefined && env.TERM_PROGRAM === undefined;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return platform !== 'darwin' && !/utf-?8/i.test(locale);
}
