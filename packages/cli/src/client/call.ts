import type { Client, Progress } from '@ccmcp/core/client';
import { toolArguments } from './arguments.ts';
import type { Context } from './command.ts';
import { Failure } from './failure.ts';
import { contentText } from './output.ts';
import { didYouMean } from './suggest.ts';

/** Calls a tool and shows what it gives, with its progress on a terminal meanwhile. */
export async function run({ client, output, signal }: Context, words: readonly string[]): Promise<void> {
  const [name, ...rest] = words;
  if (name === undefined) throw new Failure('usage', 'The name of a tool is missing');
  const tool = await findTool(client, name);
  const args = toolArguments(tool, rest);
  const onProgress = (progress: Progress): void => output.status(progressText(progress));
  const result = await client.callTool(name, args, { signal, onProgress }).finally(() => output.status(undefined));
  const { content, structuredContent, isError } = result;
  if (isError) throw new Failure('tool-error', contentText(content) || `"${name}" failed`, { data: result });
  output.value(result, () =>
    content.length === 0 && structuredContent !== undefined
      ? JSON.stringify(structuredContent, null, 2)
      : contentText(content),
  );
}

/** The tool of this name, as the server lists it. */
async function findTool(client: Client, name: string) {
  const tools = client.capabilities.tools === undefined ? [] : await client.listTools().all();
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((candidate) => candidate.name);
  const hint = names.length === 0 ? 'It has no tools.' : `It has ${names.slice(0, 50).join(', ')}.`;
  throw new Failure('unknown-name', `The server has no tool "${name}".${didYouMean(name, names)}`, { hint });
}

/** How far a call is, on one line. */
export function progressText({ progress, total, message }: Progress): string {
  const far = total === undefined || total <= 0 ? String(progress) : `${Math.round((100 * progress) / total)}%`;
  return message === undefined ? far : `${far} ${message}`;
}
