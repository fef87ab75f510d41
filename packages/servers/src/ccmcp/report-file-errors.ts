import { ToolError } from '@ccmcp/core';
import { FileError } from './file-error.ts';

/** The schema of the path argument of file tools. */
export const pathSchema = {
  type: 'string',
  description: 'Relative to the root folder, or absolute inside a root; ".." is not allowed',
} as const;

/** Runs file work, and converts a FileError to a tool error. */
export function reportFileErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw told(error);
  }
}

/** The same for asynchronous work. */
export async function reportFileErrorsAsync<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw told(error);
  }
}

function told(error: unknown): unknown {
  return error instanceof FileError ? new ToolError(error.message) : error;
}
