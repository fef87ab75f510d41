import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CallToolResult } from '@ccmcp/core';
import { contentTokens } from '@ccmcp/core/client';
import { firstPage } from '@ccmcp/core/result-budget';
import { Failure } from '../../command/failure.ts';
import { sum } from './tool-cost.ts';

/** What the results in a recording cost a model. */
export interface RecordedCost {
  readonly file: string;
  readonly calls: number;
  readonly tokens: number;
  /** By tool, the most expensive first. */
  readonly tools: readonly RecordedTool[];
  /** What `resultBudget` with so many tokens would save, unless the rest of a result is read. */
  readonly savings: {
    readonly resultBudget: { readonly budget: number; readonly cut: number; readonly saved: number };
  };
}

/** The results of one tool. */
export interface RecordedTool {
  readonly name: string;
  readonly calls: number;
  readonly tokens: number;
  readonly mean: number;
  readonly largest: number;
  /** What the budget would save of `tokens`. */
  readonly saved: number;
}

/**
 * Measures the results of calls in a recording of the inspector. Throws a `Failure` if the file is not a recording.
 */
export async function measureRecording(file: string, budget: number): Promise<RecordedCost> {
  const results = new Map<string, MeasuredResult[]>();
  let isFirst = true;
  try {
    for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
      if (isFirst && toRecord(line)?.format !== 'ccmcp-recording') throw noRecording(file);
      isFirst = false;
      const found = readResult(line);
      if (found === undefined) continue;
      const measured = measureResult(found.content, budget);
      const known = results.get(found.tool);
      if (known === undefined) results.set(found.tool, [measured]);
      else known.push(measured);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('usage', `${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
  if (isFirst) throw noRecording(file);
  const tools = Array.from(results, ([name, each]) => {
    const tokens = sum(each.map((result) => result.tokens));
    const largest = each.reduce((most, result) => Math.max(most, result.tokens), 0);
    const saved = sum(each.map((result) => result.saved));
    return { name, calls: each.length, tokens, mean: Math.round(tokens / each.length), largest, saved };
  }).sort((one, other) => other.tokens - one.tokens);
  const cut = sum(Array.from(results.values(), (each) => each.filter(({ isCut }) => isCut).length));
  return {
    file,
    calls: sum(tools.map(({ calls }) => calls)),
    tokens: sum(tools.map(({ tokens }) => tokens)),
    tools,
    savings: { resultBudget: { budget, cut, saved: sum(tools.map(({ saved }) => saved)) } },
  };
}

interface MeasuredResult {
  readonly tokens: number;
  readonly saved: number;
  readonly isCut: boolean;
}

type Content = CallToolResult['content'];

function measureResult(content: Content, budget: number): MeasuredResult {
  const tokens = contentTokens(content);
  const page = firstPage({ content, isError: false }, { tokens: budget });
  if (page === undefined) return { tokens, saved: 0, isCut: false };
  return { tokens, saved: Math.max(0, tokens - contentTokens(page)), isCut: true };
}

function noRecording(file: string): Failure {
  return new Failure('usage', `${file} is no recording of the inspector`, {
    hint: 'The inspector writes its recordings to .ccmcp/recordings.',
  });
}

/** The tool and the content of a line that is the result of a call. */
function readResult(line: string): { tool: string; content: Content } | undefined {
  const event = toRecord(line);
  if (event?.type !== 'message' || event.from !== 'server' || event.kind !== 'result') return undefined;
  if (event.method !== 'tools/call' || typeof event.text !== 'string') return undefined;
  const { content } = Object(toRecord(event.text)?.result) as Record<string, unknown>;
  if (!Array.isArray(content)) return undefined;
  const tool = typeof event.subject === 'string' ? event.subject : '(unknown)';
  return { tool, content: content.filter(isContentBlock) };
}

/** True for a block with what its type needs. The server of the recording is not trusted. */
function isContentBlock(value: unknown): value is Content[number] {
  const { type, text, data, resource, uri } = Object(value) as Record<string, unknown>;
  if (type === 'text') return typeof text === 'string';
  if (type === 'resource') return typeof resource === 'object' && resource !== null;
  return type === 'resource_link' ? typeof uri === 'string' : typeof data === 'string';
}

/** Parses a line as an object; undefined if it is none. The last line of a truncated recording is incomplete. */
function toRecord(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
