import { isObject } from '../../jsonrpc/message.ts';
import type { ToolListing } from '../../protocol/listing.ts';
import type { QuirkFix } from './client-quirks.ts';
import { createPortableNames } from './portable-names.ts';
import { fixSchemas } from './portable-schemas.ts';

/** The names of the tools that a quirk affects: `adaptToClient` would change their names or schemas for such a client. */
export function affectedTools(quirk: QuirkFix, listed: readonly ToolListing[]): string[] {
  // Other servers may list anything.
  const tools = listed.filter((tool) => isObject(tool) && typeof tool.name === 'string');
  const names = createPortableNames(
    tools.map(({ name }) => name),
    [quirk],
  );
  return tools
    .filter((tool) => names.toPortable(tool.name) !== tool.name || hasOtherSchemas(tool, quirk))
    .map(({ name }) => name);
}

function hasOtherSchemas(tool: ToolListing, { schema }: QuirkFix): boolean {
  if (!isObject(tool.inputSchema) || (tool.outputSchema !== undefined && !isObject(tool.outputSchema))) return false;
  return schema !== undefined && JSON.stringify(fixSchemas(tool, schema)) !== JSON.stringify(tool);
}
