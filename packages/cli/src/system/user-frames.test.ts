import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userLocation, userStack } from './user-frames.ts';

const file = join(process.cwd(), 'src', 'a (b).js');
const { href } = pathToFileURL(join(process.cwd(), 'src', 'c.js'));

function stack(...frames: string[]): string {
  return ['Error: two', 'lines', ...frames.map((frame) => `    at ${frame}`)].join('\n');
}

describe('a stack trace', () => {
  it('is shown as the error and the frames in user files', () => {
    const own = userStack(
      stack(
        'node:internal/x:1:1',
        `find (${href}:1:2)`,
        'run (/elsewhere/node_modules/zod/x.js:3:4)',
        `async ${href}?ccmcp=3:5:6`,
        `${href}:7:8`,
        'process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
        'call (/elsewhere/d.js:9:1)',
      ),
    );
    expect(own).toEqual({
      message: 'Error: two\nlines',
      frames: [
        `at find (${join('src', 'c.js')}:1:2)`,
        `at async ${join('src', 'c.js')}:5:6`,
        `at ${join('src', 'c.js')}:7:8`,
        'at call (/elsewhere/d.js:9:1)',
      ],
    });
  });

  it('has an innermost frame', () => {
    expect(userLocation(stack('node:fs:1:1', `find (${href}:1:2)`, `${href}:7:8`))).toBe(`${join('src', 'c.js')}:1:2`);
    expect(userLocation(stack(`${href}:7:8`))).toBe(`${join('src', 'c.js')}:7:8`);
    expect(userLocation(stack(`async ${href}:7:8`))).toBe(`${join('src', 'c.js')}:7:8`);
    expect(userLocation(stack(`${file}:7:8`))).toBe(`${join('src', 'a (b).js')}:7:8`);
    expect(userLocation(stack('node:fs:1:1'))).toBeUndefined();
    expect(userLocation('only a message')).toBeUndefined();
  });

  it.each(['', 'x', '    at ', '    at (file://%:1:1)', `Error\n    at ${'('.repeat(5000)}:1:1`])(
    'may be anything: %j',
    (text) => {
      expect(() => userStack(text)).not.toThrow();
    },
  );
});

describe('the frames of ccmcp itself, in a clone', () => {
  let clone: string;

  beforeEach(() => {
    clone = realpathSync(mkdtempSync(join(tmpdir(), 'ccmcp-frames-')));
    const names = { '.': 'ccmcp-workspace', 'packages/core': '@ccmcp/core', 'packages/cli': 'ccmcp' };
    for (const [folder, name] of Object.entries(names)) {
      mkdirSync(join(clone, folder), { recursive: true });
      writeFileSync(join(clone, folder, 'package.json'), JSON.stringify({ name }));
    }
  });

  afterEach(() => rmSync(clone, { recursive: true, maxRetries: 10 }));

  it('are omitted for every copy of the command', () => {
    const library = join(clone, 'packages', 'core', 'dist', 'index.js');
    const command = join(clone, 'packages', 'cli', 'dist', 'chunks', 'a.cjs');
    const example = join(clone, 'examples', 'server.js');
    const frames = [`tool (${library}:1:2)`, `load (${command}:3:4)`, `${example}:5:6`];
    expect(userLocation(stack(...frames))).toBe(`${example}:5:6`);
  });

  it("include none of a user's package, even if its package.json is broken", () => {
    writeFileSync(join(clone, 'packages', 'core', 'package.json'), '{');
    const file = join(clone, 'packages', 'core', 'server.js');
    expect(userLocation(stack(`${file}:1:2`))).toBe(`${file}:1:2`);
  });
});
