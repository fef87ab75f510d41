import { Buffer } from 'node:buffer';
import { type Tool, tool } from '@ccmcp/core';
import { printable } from './file-error.ts';
import { reportFileErrors, pathSchema } from './report-file-errors.ts';
import type { Sandbox } from './sandbox.ts';
import { trashName } from './trash.ts';
import { unifiedDiff } from './unified-diff.ts';
import { limits } from '../limits.ts';

/** How things are deleted. */
export interface DeleteOptions {
  /** For good, instead of to the trash. */
  readonly hard: boolean;
}

/** Tools that change files inside one folder. */
export function writingTools(sandbox: Sandbox, { hard }: DeleteOptions): Tool[] {
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
            maxItems: limits.ccmcp.edits.value,
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
        const told = dryRun
          ? `Dry run, nothing was changed: ${count} would be made in ${given}`
          : `Made ${count} in ${given}, which now has ${Buffer.byteLength(after)} bytes`;
        return `${told}\n\n${shownDiff(before, after, given)}`;
      }),
  );
}

function shownDiff(before: string, after: string, label: string): string {
  const most = limits.ccmcp.diff.value;
  const diff = unifiedDiff(before, after, printable(label));
  return diff.length <= most ? diff : `${diff.slice(0, most)}\n… (the rest of the diff is left out)`;
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

const deleting = {
  input: { type: 'object', properties: { path: pathSchema }, required: ['path'] },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
} as const;

function deleteTool(sandbox: Sandbox): Tool {
  const description =
    `Delete a file, a link, or a folder with all that is in it: it goes to the folder ${trashName} in the root, ` +
    'from where it can be moved back';
  return tool('delete', { ...deleting, description }, (args) =>
    reportFileErrors(() => `Moved ${args.path} to the trash: ${sandbox.discard(args.path)}`),
  );
}

function hardDeleteTool(sandbox: Sandbox): Tool {
  const description = 'Delete a file, a link, or a folder with all that is in it, for good: there is no way back';
  return tool('delete', { ...deleting, description }, (args) =>
    reportFileErrors(() => {
      const count = sandbox.remove(args.path);
      return count === 1 ? `Deleted ${args.path}` : `Deleted ${args.path} with all that was in it, ${count} in all`;
    }),
  );
}
