import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createServer, embeddedResource, image, prompt, resource, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hostileService } from '../../packages/cli/src/fixtures/hostile-service.ts';
import { emptyFolder, run } from '../support/ccmcp.ts';
import { mustTestEverything } from '../support/everything.ts';
import { hasTerminals, onRealTerminal, onTerminal } from '../support/terminal.ts';

/** One red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
const text = { type: 'object', properties: { text: { type: 'string' } } } as const;

const turning = {
  type: 'object',
  properties: { to: { type: 'string', enum: ['left', 'right'] } },
  required: ['to'],
} as const;

function testServer() {
  const many = Array.from({ length: 40 }, (_, index) => tool(`many${index}`, {}, () => ''));
  return createServer({
    name: 'shown',
    version: '1.0.0',
    tools: [
      tool('echo', { input: text }, (args) => JSON.stringify(args)),
      tool('picture', {}, () => image(png, 'image/png')),
      tool('escape', {}, () => embeddedResource({ uri: 'a:///..%2f..%2fescaped', blob: png.toString('base64') })),
      tool('words', {}, () => 'seven letter '.repeat(12).trim()),
      tool('log', {}, (_, { log, progress }) => {
        log('debug', 'fine');
        log('info', 'begun');
        log('notice', { disk: 'full' });
        progress(1, 2, 'half way');
        return 'done';
      }),
      tool('think', {}, async (_, { sample }) => {
        const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Two and two?' } }];
        const { content } = await sample({ messages, maxTokens: 9 });
        return content.map((block) => (block.type === 'text' ? block.text : block.type)).join(' ');
      }),
      tool('turn', { input: turning }, ({ to }) => `turned ${to}`),
      tool('where', {}, async (_, { roots }) => (await roots()).map(({ uri }) => uri).join(' ')),
      tool('ask', {}, async (_, { elicit }) => {
        const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
        const answer = await elicit({ message: 'Who are you?', schema });
        return answer.action === 'accept' ? `It is ${answer.content.name}` : answer.action;
      }),
      ...many,
    ],
    resources: [resource('a:///picture', { mimeType: 'image/png' }, () => png), resource('a:///note', {}, () => 'hi')],
    prompts: [prompt('review', { arguments: { code: {} } }, ({ code }) => `Review ${code}`)],
  });
}

let url = '';
let folder = '';

beforeAll(async () => {
  const service = await serveHttp(testServer(), { port: 0 });
  url = service.url;
  return () => service.close({ graceMs: 0, lingerMs: 0 });
});

beforeEach(() => {
  folder = emptyFolder();
});

/** The stdout of a command that succeeds. */
async function outcome(args: string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(args, { input, cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('an argument', () => {
  it('is read from a file', async () => {
    writeFileSync(join(folder, 'long.txt'), 'two\nlines\n');
    expect(await outcome(['call', url, 'echo', 'text=@long.txt'])).toBe('{"text":"two\\nlines\\n"}\n');
    expect(await outcome(['prompt', url, 'review', 'code=@long.txt'])).toBe('user: Review two\nlines\n');
  });

  it('is read from standard input', async () => {
    expect(await outcome(['call', url, 'echo', 'text=-'], 'piped')).toBe('{"text":"piped"}\n');
    expect(await outcome(['call', url, 'echo', '-'], '{"text":"whole"}')).toBe('{"text":"whole"}\n');
  });

  it('is missing if the file does not exist, or stdin was read already', async () => {
    const missing = await run(['call', url, 'echo', 'text=@ada'], { cwd: folder });
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('there is no file ada');
    const twice = await run(['call', url, 'echo', 'text=-', 'text=-'], { input: 'x' });
    expect(twice).toMatchObject({ code: 2, stdout: '' });
    expect(twice.stderr).toContain('can be read once only');
  });

  it('is not read from standard input in the shell', async () => {
    const { code, stderr } = await run(['shell', url], { input: 'call echo text=-\n' });
    expect(code).toBe(2);
    expect(stderr).toContain('in the shell');
  });
});

describe('--out', () => {
  it('saves images, and prints their paths', async () => {
    const saved = join('pictures', 'picture.png');
    expect(await outcome(['call', url, 'picture', '--out', 'pictures'])).toBe(
      `[image, image/png, ${png.length} bytes, saved as ${saved}]\n`,
    );
    expect(readFileSync(join(folder, saved))).toEqual(png);
    await outcome(['call', url, 'picture', '--out', 'pictures', '--json']);
    expect(readdirSync(join(folder, 'pictures')).sort()).toEqual(['picture-2.png', 'picture.png']);
  });

  it('saves what is read', async () => {
    expect(await outcome(['read', url, 'a:///picture', '--out', '.'])).toContain('saved as picture.png');
    expect(await outcome(['read', url, 'a:///note', '--out', '.'])).toContain('saved as note.txt');
    expect(readFileSync(join(folder, 'note.txt'), 'utf8')).toBe('hi');
  });

  it('saves nothing outside of its folder', async () => {
    mkdirSync(join(folder, 'a', 'b'), { recursive: true });
    await outcome(['call', url, 'escape', '--out', join('a', 'b')]);
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readdirSync(join(folder, 'a'))).toEqual(['b']);
    expect(readdirSync(join(folder, 'a', 'b'))).toHaveLength(1);
  });
});

describe('log messages and questions during a call', () => {
  it.each(['handshake', 'stateless'])('is logged on stderr, as much as is wanted, in the %s era', async (era) => {
    const { stdout, stderr } = await run(['call', url, 'log', '--log-level', 'debug', '--era', era]);
    expect(stdout).toBe('done\n');
    expect(stderr).toMatch(/^\[debug\] .*fine\n\[info\] .*begun\n\[notice\] .*\{"disk":"full"\}\n$/);
    const less = await run(['call', url, 'log', '--log-level', 'notice', '--era', era]);
    expect(less.stderr).toMatch(/^\[notice\] .*\n$/);
  });

  it.each(['handshake', 'stateless'])('is answered by a command in place of a model, in the %s era', async (era) => {
    const command = `"${process.execPath}" -e "process.stdin.on('data', (d) => console.log(JSON.parse(d).maxTokens))"`;
    expect(await outcome(['call', url, 'think', '--sample-with', command, '--era', era])).toBe('9\n');
  });

  it.each(['handshake', 'stateless'])('is answered with the folders that were named, in the %s era', async (era) => {
    mkdirSync(join(folder, 'one two'));
    const answer = await outcome(['call', url, 'where', '--root', '.', '--root', 'one two', '--era', era]);
    const [first = '', second = ''] = answer.trimEnd().split(' ');
    expect(fileURLToPath(second)).toBe(join(fileURLToPath(first), 'one two'));
    expect(second).toContain(pathToFileURL(join(folder, 'one two')).pathname);
    const { code, stderr } = await run(['call', url, 'where', '--root', 'no-such'], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'ccmcp: --root must be a folder: no-such\n' });
  });
});

describe('output for programs', () => {
  it('does not depend on terminal options', async () => {
    expect(await outcome(['call', url, 'words'])).toBe(`${'seven letter '.repeat(12).trim()}\n`);
    const { stdout } = await run(['call', url, 'echo', 'text=x', '--json'], { env: { FORCE_COLOR: '1' } });
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: '{"text":"x"}' }] });
    expect(stdout.trimEnd()).not.toContain('\n');
  });

  it('has colours on request', async () => {
    const coloured = await run(['list', url, 'tools', '--color', 'always']);
    expect(coloured.stdout).toContain('\u001B[1mTools\u001B[22m\n  \u001B[36mecho\u001B[39m(text?: string)\n');
    expect(await outcome(['list', url, 'tools'])).toContain('Tools\n  echo(text?: string)\n');
  });
});

/** Escape sequences other than colours, overwriting the status line, and those of a prompt. */
const steering = /(?!\p{Cc}\[[0-9;]*[mKGJ])(?![\t\n\r])\p{Cc}|[\u202E\u2066\u200F\u{E0041}]|\u009B/u;

describe('on a terminal', () => {
  it('JSON is readable, and in colours', async () => {
    const { written, screen } = await onTerminal(['call', url, 'echo', 'text=x'], []);
    expect(screen).toContain('{\r\n  "text": "x"\r\n}\r\n');
    expect(written).toContain('\u001B[36m"text"\u001B[39m: \u001B[32m"x"\u001B[39m');
    const plain = await onTerminal(['call', url, 'echo', 'text=x', '--json'], [], { NO_COLOR: '1' });
    expect(plain.written).toContain('  "content": [\r\n');
    expect(plain.written).not.toContain('\u001B[3');
  });

  it('log messages and a bar are shown while a call runs', async () => {
    const { written } = await onTerminal(['call', url, 'log'], [], { LC_ALL: 'C.UTF-8' });
    expect(written).toContain('begun');
    expect(written).not.toContain('fine');
    expect(written).toContain('██████████░░░░░░░░░░ 50% half way');
  });

  it('images are shown by capable terminals', async () => {
    const kitty = await onTerminal(['call', url, 'picture'], [], { KITTY_WINDOW_ID: '1' });
    expect(kitty.written).toContain(`\u001B_Ga=T,f=100,q=2,m=0;${png.toString('base64')}\u001B\\`);
    const chosen = await onTerminal(['read', url, 'a:///picture', '--images', 'iterm2'], []);
    expect(chosen.written).toContain('\u001B]1337;File=inline=1;');
    const none = await onTerminal(['call', url, 'picture', '--images', 'none'], [], { KITTY_WINDOW_ID: '1' });
    expect(none.written).toBe(`[image, image/png, ${png.length} bytes]\r\n`);
  });

  it('an unknown terminal gets no image, and no query', async () => {
    const { written } = await onTerminal(['call', url, 'picture'], []);
    expect(written).toBe(`[image, image/png, ${png.length} bytes]\r\n`);
  });

  it('a person answers for a model', async () => {
    const { code, screen } = await onTerminal(
      ['call', url, 'think'],
      [
        [/Answer for it\? .*: /, 'y\r'],
        [/ends it: /, 'Four\r'],
        [/… /, '\r'],
      ],
    );
    expect(code).toBe(0);
    expect(screen).toContain('user: Two and two?');
    expect(screen).toMatch(/\r\nFour\r\n$/);
  });

  it('control characters of a hostile server are escaped', async () => {
    const hostile = await hostileService('works');
    for (const words of [
      ['list', hostile, '--no-pager'],
      ['call', hostile, 'run'],
      ['call', hostile, 'fail'],
      ['prompt', hostile, 'say'],
      ['read', hostile, 'a:b'],
    ]) {
      for (const manner of [[], ['--json']]) {
        const { written } = await onTerminal([...words, ...manner, '--images', 'kitty'], []);
        expect(written.length).toBeGreaterThan(20);
        const at = written.search(steering);
        expect(at === -1 ? '' : JSON.stringify(written.slice(Math.max(0, at - 60), at + 20))).toBe('');
      }
    }
  });
});

describe('the shell on a terminal', () => {
  it('prompts again after a command', async () => {
    const again: [RegExp, string] = [/leaves the shell\.\r\n.*> /s, 'ping\r'];
    const { code } = await onTerminal(
      ['shell', url],
      [[/> /, '\u0003'], again, [/answered in .*> /s, '\u0003'], [/leaves the shell\.\r\n.*> /s, 'exit\r']],
    );
    expect(code).toBe(0);
  });

  it('accepts a command after Ctrl+C at a question', async () => {
    const { code, screen } = await onTerminal(
      ['shell', url],
      [
        [/> /, 'call ask\r'],
        [/Answer\? .*: /, 'y\r'],
        [/name \(string\): /, '\u0003'],
        [/interrupted[^>]*> /, 'call words\r'],
        [/letter\r\n.*> /s, 'exit\r'],
      ],
    );
    expect(code).toBe(0);
    expect(screen).toContain('seven letter seven');
  });

  it('keeps its history, without answers and secrets', async () => {
    const file = join(folder, 'history');
    const env = { CCMCP_HISTORY: file };
    const first = await onTerminal(
      ['shell', url],
      [
        [/> /, 'call ask\r'],
        [/Answer\? .*: /, 'y\r'],
        [/name \(string\): /, 'Ada\r'],
        [/It is Ada\r\n.*> /s, 'call echo text=my-password\r'],
        [/my-password"\r\n.*> /s, 'call echo text=kept\r'],
        [/kept"\r\n.*> /s, 'exit\r'],
      ],
      env,
    );
    expect(first.code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('call ask\ncall echo text=kept\nexit\n');
    const second = await onTerminal(
      ['shell', url],
      [
        [/> /, '\u001B[A'],
        [/exit/, '\u001B[A'],
        [/text=kept/, '\r'],
        [/"kept"\r\n.*> /s, 'exit\r'],
      ],
      env,
    );
    expect(second.code).toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  it('completes the values that a schema lists', async () => {
    const { code, screen } = await onTerminal(
      ['shell', url],
      [
        [/> /, 'call turn to=r'],
        [/to=r/, '\t'],
        [/ight /, '\r'],
        [/turned right\r\n.*> /s, 'exit\r'],
      ],
    );
    expect(code).toBe(0);
    expect(screen).toContain('turned right');
  });
});

describe.skipIf(!hasTerminals && !mustTestEverything)('on a terminal of the system', () => {
  it('text is wrapped between words', async () => {
    const { screen } = await onRealTerminal(['call', url, 'words'], []);
    const lines = screen.trimEnd().split('\r\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^(seven|letter)[a-z ]{0,73}(seven|letter)$/);
  });

  it('long lists are shown by a pager', async () => {
    const pager = join(folder, 'pager');
    writeFileSync(pager, `#!/bin/sh\ncat > '${join(folder, 'paged')}'; echo paged\n`);
    chmodSync(pager, 0o755);
    const { code, screen } = await onRealTerminal(['list', url], [], { PAGER: pager, LINES: '24' });
    expect({ code, screen }).toEqual({ code: 0, screen: 'paged\r\n' });
    expect(readFileSync(join(folder, 'paged'), 'utf8')).toContain('many39');
    const whole = await onRealTerminal(['list', url, '--no-pager'], [], { PAGER: pager });
    expect(whole.screen).toContain('many39');
  });

  it('an argument is typed until Ctrl+D, and cancelled with Ctrl+C', async () => {
    const typed = await onRealTerminal(
      ['call', url, 'echo', 'text=-'],
      [
        [/ends it\./, 'hello\r'],
        [/hello\r\n/, '\u0004'],
      ],
    );
    expect(typed.code).toBe(0);
    expect(typed.screen).toContain('"text": "hello\\n"');
    const left = await onRealTerminal(['call', url, 'echo', 'text=-'], [[/ends it\./, '\u0003']]);
    expect(left.code).toBe(130);
  });

  it('the shell confirms before Ctrl+C exits, and discards the typed line', async () => {
    const { code, screen } = await onRealTerminal(
      ['shell', url],
      [
        [/> /, 'half'],
        [/half/, '\u0003'],
        [/> /, '\u0003'],
        [/leaves the shell\.\r\n.*> /s, '\u0003'],
      ],
    );
    expect(code).toBe(0);
    expect(screen).toContain('Ctrl+C again, or exit, leaves the shell.');
  });
});
