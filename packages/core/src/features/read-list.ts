import { PreparedResult } from '../jsonrpc/message.ts';
import type { Next, Outcome } from '../server/call/operation.ts';

/** The list methods, and the member of a page that contains the rows. */
export const listMembers = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
} as const;

/** A request for a list. */
export type ListMethod = keyof typeof listMembers;

/** A page of a list. */
export type Page = Readonly<Record<string, unknown>> & { readonly nextCursor?: string };

/** A page as an object. */
export function toPage(outcome: Outcome): Page {
  return (outcome instanceof PreparedResult ? outcome.toJSON() : outcome) as Page;
}

const rowMembers = { ...listMembers, 'resources/templates/list': 'resourceTemplates' } as const;

/** Reads all rows of the list that a caller gets, given its first page. */
export async function readRows<Row>(next: Next, method: keyof typeof rowMembers, first: Outcome): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = toPage(first); ; page = toPage(await next({ cursor: page.nextCursor }, method))) {
    rows.push(...(page[rowMembers[method]] as Row[]));
    if (page.nextCursor === undefined) return rows;
  }
}
