import { type Tool, tool, ToolError } from '@ccmcp/core';
import { Buffer } from 'node:buffer';
import { FileError, printable } from './file-error.ts';
import { maxMatches, maxPatternLength, namePattern, skippedFolders } from './search-files.ts';
import type { Sandbox } from './sandbox.ts';
import { trashName } from './entries.ts';
import { unifiedDiff } from './text-edits.ts';

/** The schema of the path argument of file tools. */
const pathSchema = {
  type: 'string',
  description: 'Relative to the root folder, or absolute inside a root; ".." is not allowed',
} as const;

/** Runs file work, and converts a FileError to a tool error. */
function reportFileErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toToolError(error);
  }
}

/** The same for asynchronous work. */
async function reportFileErrorsAsync<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toToolError(error);
  }
}

function toToolError(error: unknown): unknown {
  return error instanceof FileError ? new ToolError(error.message) : error;
}

const annotations = { readOnlyHint: true, openWorldHint: false } as const;
const folder = { ...pathSchema, description: `${pathSchema.description}. Absent: the root folder` } as const;

/** Tools that read, list and search files. */
export function readTools(sandbox: Sandbox): Tool[] {
  const readFile = tool(
    'read_file',
    {
      description: 'Read a text file of at most 1 MB',
      input: { type: 'object', properties: { path: pathSchema }, required: ['path'] },
      annotations,
    },
    (args) => reportFileErrors(() => sandbox.readFile(args.path)),
  );

  const listDirectory = tool(
    'list_directory',
    {
      description: 'List a folder: one line per entry, "F name" for a file and "D name" for a folder',
      input: {
        type: 'object',
        properties: { path: { ...pathSchema, description: `${pathSchema.description}. "." is the root folder` } },
        required: ['path'],
      },
      annotations,
    },
    (args) => {
      const entries = reportFileErrors(() => sandbox.listDirectory(args.path));
      return entries.map(({ kind, name }) => `${kind} ${name}`).join('\n');
    },
  );

  return [readFile, listDirectory, searchTool(sandbox)];
}

function searchTool(sandbox: Sandbox): Tool {
  return tool(
    'search_files',
    {
      description:
        `Find files and folders by name, or the lines of text files that contain a text; at most ${maxMatches}. ` +
        `Links are not followed, and ${skippedFolders.join(', ')} are passed over unless path leads into them`,
      input: {
        type: 'object',
        properties: {
          path: folder,
          name: {
            type: 'string',
            maxLength: maxPatternLength,
            description:
              'Such as *.ts, {a,b}-?.txt or src/**/*.md: with a slash, the way from the folder that is searched',
          },
          text: {
            type: 'string',
            minLength: 1,
            maxLength: 1000,
            description: 'Found as it is, not as a pattern',
          },
          ignore_case: { type: 'boolean', default: false, description: 'Take capital and small letters for the same' },
        },
      },
      annotations,
    },
    ({ path: start = '.', name, text, ignore_case: ignoreCase = false }, { signal }) =>
      reportFileErrorsAsync(async () => {
        if (name === undefined && text === undefined) throw new ToolError('Say what to find: give name, text or both');
        const names = name === undefined ? undefined : namePattern(name, { ignoreCase });
        const { lines, notes } = await sandbox.search(start, { name: names, text, ignoreCase }, signal);
        return [...(lines.length === 0 ? ['Nothing found.'] : lines), ...notes].join('\n');
      }),
  );
}

const maxDiffLength = 64 * 1024;

/** Options of `delete`. */
export interface DeleteOptions {
  /** Deletes permanently, instead of moving to the trash. */
  readonly hard: boolean;
}

/** Tools that change files inside one folder. */
export function writeTools(sandbox: Sandbox, { hard }: DeleteOptions): Tool[] {
  return [
    writeTool(sandbox),
    editTool(sandbox),
    makeDirectoryTool(sandbox),
    moveTool(sandbox),
    hard ? hardDeleteTool(sandbox) : deleteTool(sandbox),
  ];
}

function writeTool(sandbox: Sandbox): Tool {
  return tool(
    'write_file',
    {
      description: 'Write a text file, replacing it if it exists; its folder must exist',
      input: {
        type: 'object',
        properties: { path: pathSchema, content: { type: 'string', description: 'The whole new content of the file' } },
        required: ['path', 'content'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    (args) => reportFileErrors(() => `Wrote ${sandbox.writeFile(args.path, args.content)} bytes to ${args.path}`),
  );
}

function editTool(sandbox: Sandbox): Tool {
  return tool(
    'edit_file',
    {
      description:
        'Replace exact pieces of text in a text file of at most 1 MB, one edit after the other: all of them, or none. ' +
        'Answers with a diff',
      input: {
        type: 'object',
        properties: {
          path: pathSchema,
          edits: {
            type: 'array',
            minItems: 1,
            maxItems: 100,
            description: 'What to replace, in order',
            items: {
              type: 'object',
              properties: {
                old_text: {
                  type: 'string',
                  minLength: 1,
                  description: 'Just as it stands in the file, white space included; it must be there only once',
                },
                new_text: { type: 'string', description: 'What takes its place' },
                all: { type: 'boolean', default: false, description: 'Replace it wherever it stands' },
              },
              required: ['old_text', 'new_text'],
            },
          },
          dry_run: { type: 'boolean', default: false, description: 'Only show what would change' },
        },
        required: ['path', 'edits'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ path: given, edits: wanted, dry_run: dryRun = false }) =>
      reportFileErrors(() => {
        const edits = wanted.map((edit) => ({
          oldText: edit.old_text,
          newText: edit.new_text,
          all: edit.all ?? false,
        }));
        const { before, after, replacements } = sandbox.editFile(given, { edits, dryRun });
        const count = `${replacements} ${replacements === 1 ? 'replacement' : 'replacements'}`;
        const summary = dryRun
          ? `Dry run, nothing was changed: ${count} would be made in ${given}`
          : `Made ${count} in ${given}, which now has ${Buffer.byteLength(after)} bytes`;
        return `${summary}\n\n${formatDiff(before, after, given)}`;
      }),
  );
}

function formatDiff(before: string, after: string, label: string): string {
  const diff = unifiedDiff(before, after, printable(label));
  return diff.length <= maxDiffLength ? diff : `${diff.slice(0, maxDiffLength)}\n… (the rest of the diff is left out)`;
}

function makeDirectoryTool(sandbox: Sandbox): Tool {
  return tool(
    'make_directory',
    {
      description: 'Make a folder, and the folders on the way to it; one that exists stays as it is',
      input: { type: 'object', properties: { path: pathSchema }, required: ['path'] },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (args) =>
      reportFileErrors(() => (sandbox.makeDirectory(args.path) ? `Made ${args.path}` : `${args.path} exists already`)),
  );
}

function moveTool(sandbox: Sandbox): Tool {
  return tool(
    'move',
    {
      description:
        'Move or rename a file, a folder or a link. Never replaces anything: there must be nothing at the new path, ' +
        'and its folder must exist',
      input: {
        type: 'object',
        properties: {
          from: { ...pathSchema, description: `What to move. ${pathSchema.description}` },
          to: { ...pathSchema, description: 'Its whole new path, of the same form' },
        },
        required: ['from', 'to'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ from, to }) =>
      reportFileErrors(() => {
        sandbox.move(from, to);
        return `Moved ${from} to ${to}`;
      }),
  );
}

const deleteDefinition = {
  input: { type: 'object', properties: { path: pathSchema }, required: ['path'] },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
} as const;

function deleteTool(sandbox: Sandbox): Tool {
  const description =
    `Delete a file, a link, or a folder with all that is in it: it goes to the folder ${trashName} in the root, ` +
    'from where it can be moved back';
  return tool('delete', { ...deleteDefinition, description }, (args) =>
    reportFileErrors(() => `Moved ${args.path} to the trash: ${sandbox.discard(args.path)}`),
  );
}

function hardDeleteTool(sandbox: Sandbox): Tool {
  const description = 'Delete a file, a link, or a folder with all that is in it, for good: there is no way back';
  return tool('delete', { ...deleteDefinition, description }, (args) =>
    reportFileErrors(() => {
      const count = sandbox.remove(args.path);
      return count === 1 ? `Deleted ${args.path}` : `Deleted ${args.path} with all that was in it, ${count} in all`;
    }),
  );
}
