import type { CallToolResult, ContentBlock } from '@ccmcp/core';
import { stringifyDeep } from '../../terminal/print.ts';
import type { Context } from '../context.ts';
import { contentParts, contentText } from '../../terminal/content.ts';
import { Failure } from '../../command/failure.ts';
import type { SavedFiles } from '../../terminal/save-files.ts';

/** Shows the result of a tool, or fails with its error. */
export async function showResult({ output, options }: Context, name: string, result: CallToolResult): Promise<void> {
  const { content, structuredContent, isError } = result;
  if (isError) throw new Failure('tool-error', contentText(content) || `"${name}" failed`, { data: result });
  const saved = await save(content, options.out, name);
  await output.parts(result, () =>
    content.length === 0 && structuredContent !== undefined
      ? [{ text: stringifyDeep(structuredContent, 2) }]
      : contentParts(content, saved),
  );
}

async function save(
  content: readonly ContentBlock[],
  folder: string | undefined,
  name: string,
): Promise<SavedFiles | undefined> {
  if (folder === undefined) return undefined;
  const { saveContent } = await import('../../terminal/save-files.ts');
  return saveContent(content, { folder, name });
}
