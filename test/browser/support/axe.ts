import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

interface Found {
  violations: { id: string; impact: string | null; nodes: { html: string; failureSummary: string }[] }[];
}

/** Accessibility problems that axe finds on a page, each with its element. */
export async function axeProblems(frame: Frame): Promise<string[]> {
  if (!(await frame.evaluate('globalThis.axe !== undefined'))) await frame.evaluate(axe.source);
  const { violations } = await frame.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<Found> } }).axe.run(),
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact}: ${id} ${html.slice(0, 120)} ${failureSummary}`),
  );
}

/** The serious and critical ones. */
export async function seriousProblems(page: Page): Promise<string[]> {
  return (await axeProblems(page.mainFrame())).filter((each) => /^(?:serious|critical)/.test(each));
}
