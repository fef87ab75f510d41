import type { ContentBlock, ResourceContents } from '../protocol/content.ts';
import type { CallToolResult, GetPromptResult, ReadResourceResult } from '../protocol/results.ts';
import { TestFailure, transcriptOf } from './transcript.ts';
import type { Client } from '../client/client.ts';
import { appsId, viewMimeType } from '../features/apps/ids.ts';
import { toolUiOf } from '../features/apps/view-meta.ts';

type Blocks = { readonly content: readonly ContentBlock[]; readonly isError?: boolean };

/** Returns the text of a tool result, resource or prompt. Fails if the tool failed, or there is no text. */
export function expectText(result: CallToolResult | ReadResourceResult | GetPromptResult): string {
  if ('isError' in result && result.isError === true) fail(`The tool failed: ${textOf(result as Blocks)}`, result);
  const texts = textsOf(result);
  if (texts.length === 0) fail(`There is no text in ${JSON.stringify(result)}`, result);
  return texts.join('\n');
}

/** Returns the error text of a tool. Fails if the tool succeeded. */
export function expectToolError(result: CallToolResult): string {
  if (!result.isError) fail(`The tool was expected to fail, but answered: ${textOf(result)}`, result);
  return textOf(result);
}

/** Returns the structured content of a tool result. Fails if the tool failed, or there is none. */
export function expectStructured(result: CallToolResult): unknown {
  if (result.isError) fail(`The tool failed: ${textOf(result)}`, result);
  if (result.structuredContent === undefined) fail('There is no structured content in the result', result);
  return result.structuredContent;
}

/** Returns the error of a request. Fails if the request succeeds, or has another code. */
export async function expectProtocolError(
  request: Promise<unknown>,
  code?: number,
): Promise<Error & { code: number; data?: unknown }> {
  const answer = await request.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in answer)) fail('The request was expected to be rejected, but was answered', answer.result as object);
  const { error } = answer;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') throw error;
  if (code !== undefined && error.code !== code) {
    throw new TestFailure(`Expected the code ${code}, got ${error.code}: ${error.message}`, undefined, {
      cause: error,
    });
  }
  return error as Error & { code: number; data?: unknown };
}

function textsOf(result: CallToolResult | ReadResourceResult | GetPromptResult): string[] {
  if ('messages' in result) return (result as GetPromptResult).messages.flatMap(({ content }) => blockText(content));
  if ('contents' in result) return (result as ReadResourceResult).contents.flatMap(contentsText);
  return result.content.flatMap(blockText);
}

function textOf({ content }: Blocks): string {
  return content.flatMap(blockText).join('\n');
}

function blockText(block: ContentBlock): string[] {
  if (block.type === 'text') return [block.text];
  return block.type === 'resource' ? contentsText(block.resource) : [];
}

function contentsText(contents: ResourceContents): string[] {
  return 'text' in contents ? [contents.text] : [];
}

function fail(reason: string, result: object): never {
  throw new TestFailure(reason, transcriptOf(result));
}

/** The view of a tool and the result of a call. */
export interface ExpectedView {
  readonly uri: string;
  readonly html: string;
  readonly result: CallToolResult;
}

/**
 * Returns the view of a tool, as a host gets it, and the result of a call. Fails if there is none, if it can't be read,
 * or if the result has no content for hosts without views.
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
