import type { Client } from '@ccmcp/core/client';
import type { IndexedTool } from '@ccmcp/core/tool-search';

/** The tools of a server, and the number of malformed rows in its list. */
export interface ServerTools {
  readonly tools: IndexedTool[];
  readonly malformed: number;
}

/** Reads the tools of a server. Skips rows that are not objects with a name, and drops text members of other types. */
export async function readTools(client: Client): Promise<ServerTools> {
  const rows: unknown[] = client.capabilities.tools === undefined ? [] : await client.listTools().all();
  const tools = rows.flatMap((row) => toTool(row) ?? []);
  return { tools, malformed: rows.length - tools.length };
}

function toTool(row: unknown): IndexedTool | undefined {
  const { name, title, description, ...rest } = Object(row) as Record<string, unknown>;
  if (typeof name !== 'string') return undefined;
  const texts = {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  };
  return { ...rest, name, ...texts } as unknown as IndexedTool;
}
