import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { type ContentBlock, isContentBlock, text } from '../../protocol/content.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import { type Checked, formatProblems } from '../../schema/problems.ts';
import { errorAt } from '../define/definition-site.ts';
import { ResultTooLarge, remainingLength } from './result-size.ts';
import type { ToolError } from './tool-error.ts';
import type { ToolEntry } from '../define/tool-entry.ts';

/** Converts the return value of a tool's handler to a result. */
export function toToolResult(
  tool: ToolEntry,
  value: unknown,
  maxResult: number,
): CallToolResult | Promise<CallToolResult> {
  if (typeof value === 'string' && tool.output === undefined) {
    if (value.length > maxResult) throw tooLarge(tool, maxResult);
    return { content: [{ type: 'text', text: value }], isError: false };
  }
  if (remainingLength(value, maxResult) < 0) throw tooLarge(tool, maxResult);
  if (isFinished(value)) {
    const result = { ...value, isError: value.isError === true };
    if (tool.output === undefined || result.isError) return result;
    if (result.structuredContent === undefined) throw brokenPromise(tool, 'it has no structured content');
    return checkOutput(tool, result);
  }
  const result = tool.output === undefined ? withoutSchema(value) : structured(value);
  // Checked now that the data is there twice, structured and as text.
  if (jsonLength(result) * 2 > maxResult) throw tooLarge(tool, maxResult);
  return tool.output === undefined ? result : checkOutput(tool, result);
}

function jsonLength({ content: [first], structuredContent }: CallToolResult): number {
  return structuredContent !== undefined && first?.type === 'text' ? first.text.length : 0;
}

function tooLarge({ key }: ToolEntry, maxResult: number): ResultTooLarge {
  return new ResultTooLarge(`tool "${key}"`, maxResult);
}

/** A result of data. Its one text is the JSON of its structured content, so measuring the text measures both. */
export class DataResult implements CallToolResult {
  [member: string]: unknown;
  readonly content: ContentBlock[];
  readonly structuredContent: unknown;
  readonly isError: boolean = false;

  constructor(json: string, value: unknown) {
    this.content = [text(json)];
    this.structuredContent = value;
  }
}

/** The result of a failed call, for the model. */
export function toErrorResult(error: ToolError): CallToolResult {
  return { content: error.content ?? [text(error.message)], isError: true };
}

/** The result for invalid arguments: names each problem, so that the model can correct them. */
export function toArgumentsError(tool: ToolEntry, message: string): CallToolResult {
  return { content: [text(`Invalid arguments for tool "${tool.key}": ${message}`)], isError: true };
}

function withoutSchema(value: unknown): CallToolResult {
  if (isContentBlock(value)) return { content: [value], isError: false };
  if (Array.isArray(value) && value.every(isContentBlock)) return { content: value, isError: false };
  if (typeof value === 'object' && value !== null) return structured(value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    return { content: [text(value.toString())], isError: false };
  }
  return { content: [], isError: false };
}

/** Data is sent twice: as structured content, and as JSON text for clients without it. */
function structured(value: unknown): CallToolResult {
  const json = JSON.stringify(value) ?? 'null';
  return new DataResult(json, value ?? null);
}

function checkOutput(tool: ToolEntry, result: CallToolResult): CallToolResult | Promise<CallToolResult> {
  const checked = tool.output?.check(result.structuredContent);
  if (checked === undefined) return result;
  if (checked instanceof Promise) return checked.then((done) => withCheckedOutput(tool, result, done));
  return withCheckedOutput(tool, result, checked);
}

function withCheckedOutput(tool: ToolEntry, result: CallToolResult, checked: Checked): CallToolResult {
  if (!checked.ok) throw brokenPromise(tool, formatProblems(checked.problems));
  return checked.value === result.structuredContent ? result : { ...result, structuredContent: checked.value };
}

/** An error of the author: the log has the cause, the client gets a general message. */
function brokenPromise(tool: ToolEntry, problem: string): ProtocolError {
  const message = `Tool "${tool.key}" returned a result that breaks its output schema`;
  return new ProtocolError(ErrorCode.InternalError, message, undefined, { cause: errorAt(tool.tool, problem) });
}

function isFinished(value: unknown): value is Partial<CallToolResult> & { content: ContentBlock[] } {
  return (
    isObject(value) &&
    Array.isArray(value.content) &&
    value.content.every(isContentBlock) &&
    hasOnlyResultMembers(value)
  );
}

const resultMembers = new Set(['content', 'structuredContent', 'isError', '_meta']);

function hasOnlyResultMembers(value: object): boolean {
  return Object.keys(value).every((member) => resultMembers.has(member));
}
