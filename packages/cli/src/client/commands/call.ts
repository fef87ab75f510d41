import type { Client, Progress } from '@ccmcp/core/client';
import type { RemoteTask } from '@ccmcp/core/tasks';
import { parseToolArguments } from '../arguments/arguments.ts';
import { showResult } from '../describe/call-result.ts';
import type { Context } from '../context.ts';
import { Failure } from '../../command/failure.ts';
import { isAsciiTerminal, progressBar } from '../../terminal/progress-bar.ts';
import { requestLogLevel } from '../connection/server-log.ts';
import { missingName, unknownName } from '../describe/unknown-name.ts';

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

/** Whether the call may go on at the server. In the older form that is up to this side, which wants it only where it must. */
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
  const names = tools.map((candidate) => candidate.name);
  throw unknownName('tool', name, names);
}
