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

/** Whether a text contains what the page shows; `…` matches anything. */
function matches(text: string, shown: string): boolean {
  let at = 0;
  return shown.split('…').every((part) => {
    const found = text.indexOf(part.trim(), at);
    at = found + part.length;
    return found >= 0;
  });
}

describe('docs/servers/miniagent.md', () => {
  it.each(rows('`conjugate`'))('conjugates %s: %s', async (question = '', form = '') => {
    const [verb, tense, person] = question.split(', ');
    expect(await callTool(await connect(), 'conjugate', { verb, tense, person })).toBe(form);
  });

  it.each(rows('`identify_form`'))('identifies %s: %s', async (word = '', expected = '') => {
    const answer = await callTool(await connect(), 'identify_form', { word });
    for (const part of expected.split(';')) expect(answer).toSatisfy((text: string) => matches(text, part.trim()));
  });

  it.each(rows('Unknown words'))('suggests for %s: %s', async (word = '', hint = '') => {
    const answer = await callTool(await connect(), 'identify_form', { word });
    expect(answer).toSatisfy((text: string) => text.startsWith('failed: ') && matches(text, hint));
  });

  it('has enough rows in each table', () => {
    const counts = ['`conjugate`', '`identify_form`', 'Unknown words'].map((heading) => rows(heading).length);
    expect(Math.min(...counts)).toBeGreaterThan(4);
  });
});
