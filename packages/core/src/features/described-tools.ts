import type { ToolListing } from '../protocol/listing.ts';
import type { Operation } from '../server/call/operation.ts';

/** The tool of tool search that calls another one. */
export const callToolName = 'call_tool';

type Describe = (tools: readonly ToolListing[]) => readonly ToolListing[];

const describers = new WeakMap<Operation, Describe>();

/** Sets how middleware within this one describes tools in a result: as the client sees them in its list. */
export function describeToolsAs(operation: Operation, describe: Describe): void {
  describers.set(operation, describe);
}

/** The rows of tools as this client sees them in its list. */
export function describeTools(operation: Operation, tools: readonly ToolListing[]): readonly ToolListing[] {
  return describers.get(operation)?.(tools) ?? tools;
}
