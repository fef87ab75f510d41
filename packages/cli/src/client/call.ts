import type { ContentBlock } from '@ccmcp/core';
import type { Client, Progress } from '@ccmcp/core/client';
import { toolArguments } from './arguments.ts';
import type { Context } from './command.ts';
import { contentParts, contentText } from './content.ts';
import { Failure } from './failure.ts';
import { isPlainTerminal, progressBar } from './progress-bar.ts';
import type { SavedFiles } from './saved-files.ts';
import { wantLog } from './server-log.ts';
import { unknownName } from './unknown-name.ts';

/** Calls a tool and shows what it gives, with its progress and the server's log meanwhile. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  const { client, output, options, data, signal } = context;
  const [name, ...rest] = words;
  if (name === undefined) throw new Failure('usage', 'The name of a tool is missing');
  if (rest.includes('--help')) return (await import('./show.ts')).show(context, name);
  const tool = await findTool(client, name);
  const args = await toolArguments(tool, rest, data);
  await wantLog(client, options);
  const isPlain = isPlainTerminal(process.env, process.platform);
  const onProgress = (progress: Progress): void => output.status(progressBar(progress, { isPlain }));
  const { idempotencyKey } = options;
  const keyed = idempotencyKey === undefined ? {} : { idempotencyKey };
  const called = client.callTool(name, args, { signal, onProgress, ...keyed });
  const result = await called.finally(() => output.status(undefined));
  const { content, structuredContent, isError } = result;
  if (isError) throw new Failure('tool-error', contentText(content) || `"${name}" failed`, { data: result });
  const saved = await save(content, options.out, name);
  await output.parts(result, () =>
    content.length === 0 && structuredContent !== undefined
      ? [{ text: JSON.stringify(structuredContent, null, 2) }]
      : contentParts(content, saved),
  );
}

async function save(
  content: readonly ContentBlock[],
  folder: string | undefined,
  name: string,
): Promise<SavedFiles | undefined> {
  if (folder === undefined) return undefined;
  const { saveContent } = await import('./saved-files.ts');
  return saveContent(content, { folder, name });
}

/** The tool of this name, as the server lists it. */
async function findTool(client: Client, name: string) {
  const tools = client.capabilities.tools === undefined ? [] : await client.listTools().all();
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((candidate) => candidate.name);
  throw unknownName('tool', name, names);
}
