import { type Tool, tool, ToolError } from '@ccmcp/core';
import { reportFileErrors, reportFileErrorsAsync, pathSchema } from './report-file-errors.ts';
import { namePattern } from './name-pattern.ts';
import type { Sandbox } from './sandbox.ts';
import { skippedFolders } from './search-files.ts';
import { limits } from '../limits.ts';

const annotations = { readOnlyHint: true, openWorldHint: false } as const;
const folder = { ...pathSchema, description: `${pathSchema.description}. Absent: the root folder` } as const;

/** Tools that read, list and search files. */
export function readingTools(sandbox: Sandbox): Tool[] {
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
        `Find files and folders by name, or the lines of text files that contain a text; at most ${limits.ccmcp.matches.value}. ` +
        `Links are not followed, and ${skippedFolders.join(', ')} are passed over unless path leads into them`,
      input: {
        type: 'object',
        properties: {
          path: folder,
          name: {
            type: 'string',
            maxLength: limits.ccmcp.namePattern.value,
            description:
              'Such as *.ts, {a,b}-?.txt or src/**/*.md: with a slash, the way from the folder that is searched',
          },
          text: {
            type: 'string',
            minLength: 1,
            maxLength: limits.ccmcp.sought.value,
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
