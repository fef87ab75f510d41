import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ServerStderr } from './server-stderr.ts';

const own = pathToFileURL(join(process.cwd(), 'my server.js')).href;
const stack = [
  'TypeError: x is not a function',
  `    at find (${own}?ccmcp=2:12:5)`,
  `    at async Object.call (${own}:20:9)`,
  '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
  '    at run (/somewhere/node_modules/@ccmcp/core/dist/index.js:1:1)',
].join('\n');

function entry(level: string, error?: string): string {
  return `${JSON.stringify({ time: 'now', level, logger: 'mine', data: 'Tool "x" failed', error })}\n`;
}

function createStderr(): { stderr: ServerStderr; errors: string[]; lines: string[] } {
  const stderr = new ServerStderr();
  const errors: string[] = [];
  const lines: string[] = [];
  stderr.listener = { error: (text) => errors.push(text), line: (text) => lines.push(text) };
  stderr.connected();
  return { stderr, errors, lines };
}

describe('the stderr of a started server', () => {
  it('reports an error with its message and the frames in user files', () => {
    const { stderr, errors } = createStderr();
    stderr.push(entry('error', stack));

    expect(errors).toEqual([
      'Tool "x" failed: TypeError: x is not a function\n' +
        '    at find (my server.js:12:5)\n    at async Object.call (my server.js:20:9)',
    ]);
    expect(stderr.errors).toEqual(errors);
  });

  it('is parsed in chunks of any size', () => {
    const { stderr, errors, lines } = createStderr();
    for (const character of `one\r\n${entry('critical', 'Error: no')}two`) stderr.push(character);

    expect({ errors, lines }).toEqual({ errors: ['Tool "x" failed: Error: no'], lines: ['one'] });
    stderr.push('\n');
    expect(lines).toEqual(['one', 'two']);
  });

  it('does not report log entries without an error', () => {
    const { stderr, errors, lines } = createStderr();
    stderr.push(`${entry('info')}${entry('warning')}${entry('error')}\n  \n`);

    expect({ errors, lines, recent: stderr.recent }).toEqual({ errors: [], lines: [], recent: [] });
  });

  it.each(['{"time":1', '{"time":1}', '{"time":"x","level":7,"logger":"y"}', 'Error: {"time":'])(
    'is a text where it only looks like an entry: %s',
    (line) => {
      const { stderr, lines } = createStderr();
      stderr.push(`${line}\n`);
      expect(lines).toEqual([line]);
    },
  );

  it('shows the output from before the first response, and nothing once it is muted', () => {
    const stderr = new ServerStderr();
    const lines: string[] = [];
    stderr.listener = { error: () => {}, line: (text) => lines.push(text) };
    stderr.push('start\n');
    expect([lines, stderr.recent]).toEqual([[], ['start']]);
    stderr.connected();
    stderr.push('more\n');
    stderr.mute();
    stderr.push('end\n');
    expect(lines).toEqual(['start', 'more']);
  });

  it('keeps only the last lines, truncated', () => {
    const stderr = new ServerStderr();
    stderr.push('start\n');
    stderr.connected();
    for (let line = 1; line <= 50; line += 1) stderr.push(`${line} ${'x'.repeat(10_000)}\n`);
    stderr.push('y'.repeat(1_000_000));

    expect(stderr.recent.length).toBe(20);
    expect(stderr.recent[0]).toMatch(/^31 x/);
    expect(stderr.recent[0]?.length).toBe(4000);
  });
});
