import { ToolError } from '@ccmcp/core';
import { FileError } from './file-error.ts';

/** The argument of the file tools that says where. */
export const pathSchema = {
  type: 'string',
  description: 'Relative to the root folder, or absolute inside a root; ".." is not allowed',
} as const;

/** Does something with files, and tells the model what is wrong with them. */
export function reportFileErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw told(error);
  }
}

/** The same for what takes a while. */
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
