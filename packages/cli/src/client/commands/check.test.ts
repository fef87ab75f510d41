import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type Server, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, run } from '../../../../../test/support/ccmcp.ts';

async function serve(server: Server): Promise<string> {
  const service = await serveHttp(server, { port: 0 });
  onTestFinished(() => service.close({ graceMs: 0 }));
  return service.url;
}

const good = createServer({
  name: 'good',
  version: '1',
  tools: [
    tool('resize_image', { description: 'Changes the width and height of a picture.' }, () => 'done'),
    tool('send_mail', { description: 'Sends a message to an address.' }, () => 'done'),
  ],
});

const bad = createServer({
  name: 'bad',
  version: '1',
  tools: [
    tool('wipe', { description: 'Wipes\u001B[31m all of the disk\u202E' }, () => 'done'),
    tool('nothing', {}, () => ''),
  ],
});

const careless = createServer({
  name: 'careless',
  version: '1',
  tools: [tool('wipe', { description: 'Wipes it' }, () => '')],
});

describe('ccmcp check', () => {
  it('finds nothing in good tools', async () => {
    const url = await serve(good);
    expect(await run(['check', url])).toEqual({ code: 0, stdout: `${url}: 2 tools, nothing found\n`, stderr: '' });
  });

  it('shows errors with what to do, and what is hidden in texts escaped', async () => {
    const { code, stdout } = await run(['check', await serve(bad)]);
    expect(code).toBe(10);
    expect(stdout).toContain('2 tools, 2 errors, 1 warning\n');
    expect(stdout).toContain('  error    description-missing: Say in a sentence');
    expect(stdout).toContain('    nothing description: there is no description\n');
    expect(stdout).toContain('    wipe description: the text has a hidden character, U+001B\n');
    expect(stdout).not.toContain('\u001B');
  });

  it('fails for warnings with --strict', async () => {
    const url = await serve(careless);
    expect((await run(['check', url])).code).toBe(0);
    expect((await run(['check', url, '--strict'])).code).toBe(10);
    const ignored = ['--ignore', 'description-vague', '--ignore', 'annotation-destructive'];
    expect((await run(['check', url, '--strict', ...ignored])).stdout).toContain('nothing found');
  });

  it('applies single rules, and rejects unknown names', async () => {
    const url = await serve(bad);
    const { stdout } = await run(['check', url, '--json', '--rule', 'annotation-destructive']);
    expect(JSON.parse(stdout)).toEqual({
      targets: [
        {
          target: url,
          tools: 2,
          malformed: 0,
          findings: [
            {
              rule: 'annotation-destructive',
              severity: 'warning',
              tool: 'wipe',
              path: 'annotations.destructiveHint',
              message: expect.any(String),
              advice: expect.any(String),
            },
          ],
        },
      ],
      counts: { errors: 0, warnings: 1, hints: 0 },
    });
    expect(await run(['check', url, '--ignore', 'tool-sise'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no rule "tool-sise". Did you mean "tool-size"?'),
    });
  });

  it('checks the other targets if one fails', async () => {
    const url = await serve(good);
    const { code, stdout } = await run(['check', 'http://127.0.0.1:1/mcp', url, 'no such server']);
    expect(code).toBe(3);
    expect(stdout).toContain('http://127.0.0.1:1/mcp: not read: ');
    expect(stdout).toContain(`${url}: 2 tools, nothing found`);
    expect(stdout).toContain('no such server: not read: Unknown server "no such server".');
  });

  it('requires a target', async () => {
    expect(await run(['check'])).toMatchObject({ code: 2, stderr: expect.stringContaining('A target is missing') });
  });
});

describe('the questions of ccmcp check', () => {
  const rows = [
    { question: 'make a photo smaller', tools: ['resize_image'] },
    { question: 'send a message', tools: ['resize_image', 'no_such_tool'] },
    { question: 'write to Ada', tools: 'send_mail' },
  ];

  it.each([
    ['questions.json', JSON.stringify({ questions: rows })],
    ['questions.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join('\n')],
    ['questions.yaml', JSON.stringify(rows, undefined, 2)],
  ])('are read from %s', async (name, text) => {
    const file = join(emptyFolder(), name);
    writeFileSync(file, text);
    const { code, stdout } = await run(['check', await serve(good), '--json', '--questions', file]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      questions: {
        questions: 3,
        misses: expect.arrayContaining([
          {
            question: 'send a message',
            tools: ['resize_image', 'no_such_tool'],
            found: ['send_mail'],
            unknown: ['no_such_tool'],
          },
        ]),
      },
    });
  });

  it('are reported with hit rates and misses', async () => {
    const file = join(emptyFolder(), 'questions.json');
    writeFileSync(file, JSON.stringify(rows.slice(0, 2)));
    const { stdout } = await run(['check', await serve(good), '--questions', file]);
    expect(stdout).toContain(
      'Questions: 2, a right tool first for 50.0 % (R@1), among the first five for 50.0 % (R@5)',
    );
    expect(stdout).toContain('resize_image or no_such_tool is not among the first five: send_mail');
    expect(stdout).toContain('no target has a tool "no_such_tool"');
  });

  it.each([
    ['{', "can't be read"],
    ['[]', 'there are no questions'],
    ['[{"question":"a"}]', 'question 1 is not right'],
  ])('are a usage error if the file contains %j', async (text, message) => {
    const file = join(emptyFolder(), 'questions.json');
    writeFileSync(file, text);
    const { code, stderr } = await run(['check', 'greeting', '--questions', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
