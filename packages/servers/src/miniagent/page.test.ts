import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callTool } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';

const page = readFileSync(new URL('../../../../docs/servers/miniagent.md', import.meta.url), 'utf8');

/** The rows of the table below a heading, without backticks. */
function rows(heading: string): string[][] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const [, , ...lines] = section.match(/^\|.*\|$/gm) ?? [];
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

/** Whether a text says what the page shows; `…` stands for anything. */
function says(text: string, shown: string): boolean {
  let at = 0;
  return shown.split('…').every((part) => {
    const found = text.indexOf(part.trim(), at);
    at = found + part.length;
    return found >= 0;
  });
}

describe('the page of the server', () => {
  it.each(rows('Conjugating'))('conjugates %s: %s', async (question = '', form = '') => {
    const [verb, tense, person] = question.split(', ');
    expect(await callTool(await connect(), 'conjugate', { verb, tense, person })).toBe(form);
  });

  it.each(rows('Identifying'))('identifies %s: %s', async (word = '', answer = '') => {
    const told = await callTool(await connect(), 'identify_form', { word });
    for (const part of answer.split(';')) expect(told).toSatisfy((text: string) => says(text, part.trim()));
  });

  it.each(rows('What is not known'))('hints at %s: %s', async (word = '', hint = '') => {
    const told = await callTool(await connect(), 'identify_form', { word });
    expect(told).toSatisfy((text: string) => text.startsWith('failed: ') && says(text, hint));
  });

  it('has rows to compare', () => {
    const counts = ['Conjugating', 'Identifying', 'What is not known'].map((heading) => rows(heading).length);
    expect(Math.min(...counts)).toBeGreaterThan(4);
  });
});
