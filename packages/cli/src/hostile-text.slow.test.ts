import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from './run-command.ts';
import { evil } from './fixtures/hostile.mjs';
import { type Handle, hostileService, listening } from './fixtures/hostile-service.ts';

const install = (args: string[]) => runCommand(['install', ...args]);
const uninstall = (args: string[]) => runCommand(['uninstall', ...args]);
const doctor = (args: string[]) => runCommand(['doctor', ...args]);
const server = fileURLToPath(new URL('fixtures/hostile.mjs', import.meta.url));
/** Characters that control a terminal or are invisible, except tabs and line breaks. */
const steering = /(?![\t\n])\p{Cc}|[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E0FFF}]/u;

/** All output while a function runs. */
async function outputOf(act: () => Promise<unknown>): Promise<string> {
  let text = '';
  const take = (chunk: string | Uint8Array): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(take));
  try {
    await act();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return text;
}

/** The first control sequence in the output; empty if there is none. */
async function steeringIn(act: () => Promise<unknown>): Promise<string> {
  const text = await outputOf(act);
  if (text === '') return 'nothing was written';
  const at = text.search(steering);
  return at === -1 ? '' : JSON.stringify(text.slice(Math.max(0, at - 60), at + 20));
}

const commands: [string, string[]][] = [
  ['list', []],
  ['types', []],
  ['list', ['--tokens']],
  ['list', ['run']],
  ['show', ['needy']],
  ['show', ['fail']],
  ['show', ['say']],
  ['show', ['runs']],
  ['call', ['run', '--help']],
  ['call', ['run']],
  ['call', ['plain']],
  ['call', ['fail']],
  ['call', ['fail', 'a=b']],
  ['call', ['needy']],
  ['call', ['runs']],
  ['call', [`runs${evil}`, `${evil}=${evil}`]],
  ['call', ['run', `{${evil}`]],
  ['read', ['a:b']],
  ['read', ['a:']],
  ['prompt', ['say']],
  ['prompt', ['needy']],
  ['prompt', ['says']],
  ['complete', ['say', 'x']],
  ['complete', ['say', evil]],
  ['complete', ['says', 'x']],
  ['complete', ['a:{x}', 'x']],
  ['listen', ['a:', '--count', '1']],
  ['ping', []],
  ['probe', []],
];
const ways = ['works', 'rejects', 'rejects all', 'foreign', 'nonsense'];
/** With both options, everything is written that is written with `--json` alone. */
const manners = [['--verbose'], ['--json', '--verbose']];

describe('output of a hostile server on stdio', () => {
  const all: [string, string[]][] = [
    ['works', ['--verbose']],
    ['works', ['--json', '--verbose']],
    ['dies', ['--verbose']],
    ['dies later', ['--verbose']],
    ['prints', ['--verbose']],
  ];
  // The rest is tested over HTTP, without starting processes.
  const some: typeof commands = [
    ['list', []],
    ['show', ['run']],
    ['call', ['fail']],
    ['complete', ['say', 'x']],
    ['listen', ['a:', '--count', '1']],
    ['probe', []],
  ];

  it.each(all)('does not control the terminal: one that %s, with %j', async (way, manner) => {
    // A server that fails does so in all commands alike, except in a probe.
    for (const [command, words] of way === 'works' ? some : some.filter(([name]) => /^(?:call|probe)$/.test(name))) {
      const own = [...words, ...manner, '--timeout', '5'];
      expect(await steeringIn(() => runCommand([command, ...own, '--', process.execPath, server, way]))).toBe('');
    }
  });
});

/** The part of the hostile text that Node allows in a header. */
const evilHeader = 'E\u009B31m\u0085L';

describe('output of a hostile server over HTTP', () => {
  const all = ways.flatMap((way) => manners.map((manner) => [way, manner] as const));

  it.each(all)('does not control the terminal: one that %s, with %j', async (way, manner) => {
    const url = await hostileService(way);
    for (const [command, words] of commands) {
      if (command === 'listen') continue;
      expect(await steeringIn(() => runCommand([command, url, ...words, ...manner, '--timeout', '5']))).toBe('');
    }
  });

  const rejections: [string, Handle][] = [
    ['401', (_, __, response) => response.writeHead(401, { 'www-authenticate': `${evilHeader} x="y"` }).end(evil)],
    ['403', (_, __, response) => response.writeHead(403, evilHeader).end(evil)],
    ['404', (_, __, response) => response.writeHead(404, evilHeader).end(evil)],
    ['500', (_, __, response) => response.writeHead(500, evilHeader).end(evil)],
    [
      '400 in JSON',
      (_, __, response) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: evil, data: evil } }));
      },
    ],
    ['a redirect', (_, __, response) => response.writeHead(307, { location: `http://x/${evilHeader}` }).end()],
    ['a redirect elsewhere', (_, __, response) => response.writeHead(302, { location: `${evilHeader}://x` }).end()],
    ['another type', (_, __, response) => response.writeHead(200, { 'content-type': evilHeader }).end(evil)],
    ['a page', (_, __, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${evil}`)],
    ['no JSON', (_, __, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(evil)],
    [
      'no messages',
      (_, __, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${evil}\n\n`),
    ],
    ['no HTTP', (_, __, response) => void response.socket?.end(evil)],
  ];

  it.each(rejections)('does not control the terminal if it responds with %s', async (_, reject) => {
    const url = await listening(reject);
    for (const manner of manners) {
      for (const command of ['ping', 'probe']) {
        expect(await steeringIn(() => runCommand([command, url, ...manner, '--timeout', '5']))).toBe('');
      }
    }
  });
});

describe('output about hostile files and servers of clients', () => {
  function home(text: string): void {
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-hostile-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    mkdirSync(join(folder, '.cursor'));
    writeFileSync(join(folder, '.cursor', 'mcp.json'), text);
    vi.stubEnv('HOME', folder);
    vi.stubEnv('USERPROFILE', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
  }

  it.each(['works', 'rejects', 'rejects all', 'foreign', 'nonsense', 'dies', 'prints'])(
    'does not steer the terminal when the doctor looks at one that %s',
    async (way) => {
      home(JSON.stringify({ mcpServers: { [evil]: { command: process.execPath, args: [server, way] } } }));
      expect(await steeringIn(() => doctor(['cursor']))).toBe('');
    },
  );

  it('does not control the terminal for malformed entries, or as JSON', async () => {
    const started = ['works', 'dies'].map((way) => [way, { command: process.execPath, args: [server, way] }]);
    home(
      JSON.stringify({
        mcpServers: {
          a: evil,
          b: { command: evil },
          c: { url: evil },
          d: { command: `\${input:${evil}}` },
          ...Object.fromEntries(started),
        },
      }),
    );
    for (const args of [['cursor'], ['cursor', '--json']]) expect(await steeringIn(() => doctor(args))).toBe('');
    expect(await steeringIn(() => doctor([evil]))).toBe('');
  });

  it('does not control the terminal if such a server is a target', async () => {
    const works = { command: process.execPath, args: [server, 'works'] };
    const odd = { a: evil, b: { command: evil }, c: { url: evil }, d: { ...works, args: [...works.args, evil] } };
    home(JSON.stringify({ mcpServers: { [evil]: works, ...odd } }));
    for (const name of [evil, 'a', 'b', 'c', 'd', 'e', '']) {
      for (const manner of manners) {
        const text = await outputOf(() => runCommand(['list', `cursor:${name}`, ...manner]));
        expect([name, text.search(steering), text === '']).toEqual([name, -1, false]);
      }
    }
  });

  it('does not control the terminal when a file is shown or rejected', async () => {
    home(`{ "mcpServers": { "x": { "command": "${JSON.stringify(evil).slice(1, -1)}" } } }`);
    expect(await steeringIn(() => install(['cursor', 'ccmcp', '--dry-run']))).toBe('');
    expect(await steeringIn(() => install(['cursor', 'ccmcp', '--name', evil, '--dry-run']))).toBe('');
    expect(await steeringIn(() => install(['cursor', 'ccmcp', '--name', evil, '--print']))).toBe('');
    expect(await steeringIn(() => uninstall(['cursor', evil]))).toBe('');
    expect(await steeringIn(() => uninstall(['cursor', 'x', '--dry-run']))).toBe('');
    home(`{ "mcpServers": ${evil}`);
    expect(await steeringIn(() => install(['cursor', 'ccmcp']))).toBe('');
    expect(await steeringIn(() => doctor(['cursor']))).toBe('');
  });
});

describe('the command', () => {
  it('writes to the terminal in one place, which escapes the text', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    const writing = sources.filter((name) =>
      /(?:std(?:out|err)|Std(?:out|err)\(\))\.write\(/.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
    );
    expect(writing).toEqual([join('terminal', 'print.ts')]);
  });
});
