import { readFileSync } from 'node:fs';
import { createToolIndex, type IndexedTool } from '@ccmcp/core/tool-search';
import { Failure } from '../../command/failure.ts';
import { isRecord } from '../../system/record.ts';

/** A user's question, and the tools that are right for it. */
export interface Question {
  readonly question: string;
  readonly tools: readonly string[];
}

/** How well a search finds the right tools. */
export interface HitRates {
  readonly questions: number;
  /** The share of questions for which a right tool comes first. */
  readonly first: number;
  /** The share of questions for which one is among the first five. */
  readonly firstFive: number;
  /** Questions for which none comes first. */
  readonly misses: readonly Miss[];
}

/** A question for which no right tool comes first. */
export interface Miss extends Question {
  /** The rank of the first right tool; absent if it is not among the first five. */
  readonly place?: number;
  /** The found tools, best first. */
  readonly found: readonly string[];
  /** Expected tools that no server has. */
  readonly unknown?: readonly string[];
}

const depth = 5;

/** Reads a file with questions: JSON, YAML, or a JSON object in each line. Throws a `Failure` where it is wrong. */
export async function readQuestions(file: string): Promise<Question[]> {
  let value: unknown;
  try {
    value = await parse(file, readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('usage', `--questions: ${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
  const rows = isRecord(value) && Array.isArray(value.questions) ? value.questions : value;
  if (!Array.isArray(rows) || rows.length === 0) throw mistake(file, 'there are no questions');
  return rows.map((row, at) => {
    const { question, tools } = Object(row) as Record<string, unknown>;
    const names: unknown[] = [tools].flat();
    const isRight = typeof question === 'string' && names.length > 0 && names.every((name) => typeof name === 'string');
    if (!isRight) throw mistake(file, `question ${at + 1} is not right`);
    return { question, tools: names };
  });
}

/**
 * Searches the tools for each question. Names are those of the list, or `server/name` if there are several servers.
 */
export function measureHits(questions: readonly Question[], tools: readonly IndexedTool[]): HitRates {
  const index = createToolIndex(tools);
  const names = new Set(tools.flatMap(namesOf));
  let first = 0;
  let firstFive = 0;
  const misses: Miss[] = [];
  for (const { question, tools: wanted } of questions) {
    const hits = index.search(question, depth).map(({ tool }) => tool);
    const place = 1 + hits.findIndex((tool) => namesOf(tool).some((name) => wanted.includes(name)));
    if (place === 1) first += 1;
    if (place > 0) firstFive += 1;
    if (place === 1) continue;
    const unknown = wanted.filter((name) => !names.has(name));
    misses.push({
      question,
      tools: wanted,
      ...(place > 0 && { place }),
      found: hits.map(({ name }) => name),
      ...(unknown.length > 0 && { unknown }),
    });
  }
  const { length } = questions;
  return { questions: length, first: first / length, firstFive: firstFive / length, misses };
}

function namesOf({ name, server }: IndexedTool): string[] {
  return server === undefined ? [name] : [name, `${server}/${name}`];
}

async function parse(file: string, text: string): Promise<unknown> {
  if (/\.ya?ml$/i.test(file)) return (await import('../../config/file/yaml.ts')).yaml.read(text);
  const isLines = /\.(?:ndjson|jsonl)$/i.test(file);
  if (!isLines) return JSON.parse(text) as unknown;
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]));
}

function mistake(file: string, problem: string): Failure {
  return new Failure('usage', `--questions: ${file}: ${problem}`, {
    hint: 'Each is { "question": "what a user says", "tools": ["a_tool"] }, in a list or, in a .jsonl file, one in each line.',
  });
}
