import { describe, expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { slowestFiles } from './slowest-files.mjs';

/** The summary that is printed after a run of these files. */
function printReport(files: Record<string, number>): string {
  const modules = Object.entries(files).map(([path, duration]) => ({
    relativeModuleId: path,
    diagnostic: () => ({ setupDuration: 100, collectDuration: 200, duration }),
  }));
  let text = '';
  const reporter = slowestFiles({
    print: (more) => {
      text += more;
    },
  });
  void reporter.onTestRunEnd?.(modules as unknown as TestModule[], [], 'passed');
  return text;
}

describe('the end of a test run', () => {
  it('names the slowest file first, with the time it took to load and run', () => {
    expect(printReport({ 'a.test.ts': 700, 'b.test.ts': 11_700 })).toBe(
      '\nSlowest files\n   12.0 s  b.test.ts\n    1.0 s  a.test.ts\n',
    );
  });

  it('names at most ten files', () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.test.ts`, index]));
    expect(printReport(files).match(/test\.ts/g)).toHaveLength(10);
  });

  it('says nothing where only one file ran', () => {
    expect(printReport({ 'a.test.ts': 700 })).toBe('');
  });
});
