import { type Tool, ToolError, tool } from '@ccmcp/core';
import { FileError } from './file-error.ts';
import { openSandbox } from './sandbox.ts';

const path = {
  type: 'string',
  description: 'Relative to the root folder, or absolute inside it; ".." is not allowed',
} as const;

/** Tools that read, write and list files inside one folder. */
export function fileTools(root: string): Tool[] {
  const sandbox = openSandbox(root);

  const readFile = tool(
    'read_file',
    {
      description: 'Read a text file of at most 1 MB',
      input: { type: 'object', properties: { path }, required: ['path'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args) => forModel(() => sandbox.readFile(args.path)),
  );

  const writeFile = tool(
    'write_file',
    {
      description: 'Write a text file, replacing it if it exists; its folder must exist',
      input: {
        type: 'object',
        properties: { path, content: { type: 'string', description: 'The whole new content of the file' } },
        required: ['path', 'content'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    (args) => forModel(() => `Wrote ${sandbox.writeFile(args.path, args.content)} bytes to ${args.path}`),
  );

  const listDirectory = tool(
    'list_directory',
    {
      description: 'List a folder: one line per entry, "F name" for a file and "D name" for a folder',
      input: { type: 'object', properties: { path }, required: ['path'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args) =>
      forModel(() =>
        sandbox
          .listDirectory(args.path)
          .map(({ kind, name }) => `${kind} ${name}`)
          .join('\n'),
      ),
  );

  return [readFile, writeFile, listDirectory];
}

function forModel(work: () => string): string {
  try {
    return work();
  } catch (error) {
    throw error instanceof FileError ? new ToolError(error.message) : error;
  }
}
