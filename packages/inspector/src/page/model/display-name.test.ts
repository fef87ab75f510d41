import { describe, expect, it } from 'vitest';
import { displayName } from './display-name.ts';

const connection = (label: string, name?: string, kind: 'url' | 'command' = 'url', id = label) => ({
  id,
  label,
  kind,
  detail: label,
  ...(name !== undefined && { server: { info: { name, version: '1' } } as never }),
});

describe('the display name of a connection', () => {
  it.each([
    ['notes', 'Something else', 'command', 'notes'],
    ['./server.ts', 'Something else', 'command', './server.ts'],
    ['/srv/app/weather.js', undefined, 'command', 'weather.js'],
    ['/srv/app/weather.js', 'weather', 'command', 'weather'],
    ['notes 2', 'Something else', 'command', 'notes 2'],
    ['http://127.0.0.1:8080/mcp', 'kitchen', 'url', 'kitchen'],
    ['http://127.0.0.1:8080/mcp 2', 'kitchen', 'url', 'kitchen 2'],
    ['https://example.com/', undefined, 'url', 'example.com'],
    ['https://example.com/mcp', ' ', 'url', 'example.com/mcp'],
    ['node /srv/app/dist/index.js --port 3', undefined, 'command', 'index.js'],
    ['npx -y @scope/server-files .', undefined, 'command', '@scope/server-files'],
    ['node -e console.error("no")', undefined, 'command', 'node'],
    ['npx -y @scope/server-files .', 'files', 'command', 'files'],
  ] as const)('of %s, whose server says %s (%s), is %s', (label, name, kind, shown) => {
    expect(displayName(connection(label, name, kind))).toBe(shown);
  });

  it('includes the address if two servers have the same name', () => {
    const all = [connection('http://a.test/mcp', 'same'), connection('http://b.test/mcp', 'same'), connection('same')];
    expect(all.map((each) => displayName(each, all))).toEqual(['same · a.test/mcp', 'same · b.test/mcp', 'same']);
  });
});
