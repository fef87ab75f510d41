import type { Client } from '../client/client.ts';
import { appsId, viewMimeType } from '../extensions/apps/ids.ts';
import { toolUiOf } from '../extensions/apps/view-meta.ts';
import type { CallToolResult } from '../protocol/results.ts';
import { TestFailure, transcriptOf } from './transcript.ts';

/** The view of a tool, and what a call gave. */
export interface ExpectedView {
  readonly uri: string;
  readonly html: string;
  readonly result: CallToolResult;
}

/**
 * The view of a tool, as a host gets it, and the result of a call. Fails where there is none, where it can't be read, and where
 * the result says nothing to hosts that show no views.
 */
export async function expectView(client: Client, tool: string, args: object = {}): Promise<ExpectedView> {
  const listing = (await client.listTools().all()).find(({ name }) => name === tool);
  if (listing === undefined) {
    const hint = client.supports(appsId) ? '' : '; a tool for views is listed where "extensions" has appsClient';
    throw new TestFailure(`There is no tool "${tool}"${hint}`, undefined);
  }
  const { resourceUri } = toolUiOf(listing);
  if (resourceUri === undefined) throw new TestFailure(`Tool "${tool}" has no view: give it "ui"`, undefined);
  const { contents } = await client.readResource(resourceUri);
  const [page] = contents;
  if (page === undefined || !('text' in page) || page.mimeType !== viewMimeType) {
    throw new TestFailure(`"${resourceUri}" is no view: its type must be ${viewMimeType}`, transcriptOf({ contents }));
  }
  const result = await client.callTool(tool, { ...args });
  if (result.content.length === 0) {
    const problem = `Tool "${tool}" says nothing to hosts without views: give its result a "content"`;
    throw new TestFailure(problem, transcriptOf(result));
  }
  return { uri: resourceUri, html: page.text, result };
}
