import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { textTokens } from '@ccmcp/core/client';
import { Failure } from '../../command/failure.ts';
import { sum } from './tool-cost.ts';

/** What the results in a recording cost a model. */
export interface RecordedCost {
  readonly file: string;
  readonly calls: number;
  readonly tokens: number;
  /** By tool, the most expensive first. */
  readonly tools: readonly RecordedTool[];
}

/** The results of one tool. */
export interface RecordedTool {
  readonly name: string;
  readonly calls: number;
  readonly tokens: number;
  readonly mean: number;
  readonly largest: number;
}

/**
 * Measures the results of calls in a recording of the inspector. Throws a `Failure` if the file is not a recording.
 */
export async function measureRecording(file: string): Promise<RecordedCost> {
  const results = new Map<string, number[]>();
  let isFirst = true;
  try {
    for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
      if (isFirst && toRecord(line)?.format !== 'ccmcp-recording') throw noRecording(file);
      isFirst = false;
      const found = readResult(line);
      if (found === undefined) continue;
      const known = results.get(found.tool);
      if (known === undefined) results.set(found.tool, [found.tokens]);
      else known.push(found.tokens);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('usage', `${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
  if (isFirst) throw noRecording(file);
  const tools = Array.from(results, ([name, each]) => {
    const tokens = sum(each);
    const largest = each.reduce((most, one) => Math.max(most, one), 0);
    return { name, calls: each.length, tokens, mean: Math.round(tokens / each.length), largest };
  }).sort((one, other) => other.tokens - one.tokens);
  return { file, calls: sum(tools.map(({ calls }) => calls)), tokens: sum(tools.map(({ tokens }) => tokens)), tools };
}

function noRecording(file: string): Failure {
  return new Failure('usage', `${file} is no recording of the inspector`, {
    hint: 'The inspector writes its recordings to .ccmcp/recordings.',
  });
}

/** The tool and the tokens of a line that is the result of a call. */
function readResult(line: string): { tool: string; tokens: number } | undefined {
  const event = toRecord(line);
  if (event?.type !== 'message' || event.from !== 'server' || event.kind !== 'result') return undefined;
  if (event.method !== 'tools/call' || typeof event.text !== 'string') return undefined;
  const { content } = Object(toRecord(event.text)?.result) as Record<string, unknown>;
  if (!Array.isArray(content)) return undefined;
  const tool = typeof event.subject === 'string' ? event.subject : '(unknown)';
  return { tool, tokens: textTokens(JSON.stringify(content)) };
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
