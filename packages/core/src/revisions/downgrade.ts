import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import type { ClientCapabilities } from '../protocol/capabilities.ts';
import type { ContentBlock } from '../protocol/content.ts';
import type { CallToolResult, GetPromptResult } from '../protocol/results.ts';

type MapBlock = (block: ContentBlock) => ContentBlock;

/** Replaces content blocks of a tool's result. */
export function mapContent(result: CallToolResult, map: MapBlock): CallToolResult {
  const content = result.content.map(map);
  return content.every((block, index) => block === result.content[index]) ? result : { ...result, content };
}

/** Replaces content blocks of a prompt's messages. */
export function mapPromptContent(result: GetPromptResult, map: MapBlock): GetPromptResult {
  const messages = result.messages.map((message) => ({ ...message, content: map(message.content) }));
  return { ...result, messages };
}

/** Throws if the client's revision can't express a feature, as for a missing client capability. */
export function rejectUnsupported(what: string, requiredCapabilities: ClientCapabilities): never {
  throw new ProtocolError(ErrorCode.MissingClientCapability, `This client does not support ${what}`, {
    requiredCapabilities,
  });
}
