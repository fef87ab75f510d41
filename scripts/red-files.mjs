import { existsSync, readFileSync } from 'node:fs';

/**
 * The files of a report of Vitest that are red.
 *
 * @param {string} report
 * @returns {string[]} none where it is not known which they are
 */
export function redFilesIn(report) {
  if (!existsSync(report)) return [];
  /** @type {{ testResults: { name: string, status: string }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
}
