import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  violations: { id: string; impact: string | null; nodes: { html: string; failureSummary: string }[] }[];
}

/** What axe finds in a page for those who can't see it, or not well: each with the element that it is about. */
export async function axeProblems(frame: Frame): Promise<string[]> {
  if (!(await frame.evaluate('globalThis.axe !== undefined'))) await frame.evaluate(source);
  const { violations } = await frame.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<Found> } }).axe.run(),
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact}: ${id} ${html.slice(0, 120)} ${failureSummary}`),
  );
}
