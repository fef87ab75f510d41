import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Target } from '../targets.ts';
import { cliSnippet } from './cli-snippet.ts';
import { curlSnippet } from './create-snippet.ts';
import { testSnippet } from './create-snippet.ts';
import type { SnippetCall } from './snippet-call.ts';

const call: SnippetCall = {
  connection: 's1',
  method: 'tools/call',
  params: { name: 'add', arguments: { a: 1, text: "it's $HOME `id`", file: '@x', tags: ['b'] } },
  result: { content: [{ type: 'text', text: '3' }], isError: false },
};
const url: Target = { kind: 'url', url: 'http://127.0.0.1:1/mcp', label: 'http://127.0.0.1:1/mcp' };

/** The words of a line, as a shell parses it. */
function shellWords(line: string): string[] {
  const script = 'for word in "$@"; do printf "%s\\0" "$word"; done';
  return execFileSync('bash', ['-c', `set -- ${line}; ${script}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

describe('a snippet', () => {
  it('is a ccmcp command, for any arguments', () => {
    expect(shellWords(cliSnippet(call, url))).toEqual([
      'ccmcp',
      'call',
      'http://127.0.0.1:1/mcp',
      'add',
      'a:=1',
      "text=it's $HOME `id`",
      'file:="@x"',
      'tags:=["b"]',
    ]);
  });

  it('puts a command line last', () => {
    const target: Target = { kind: 'command', command: 'node', args: ['my server.js'], label: "node 'my server.js'" };
    expect(cliSnippet({ ...call, params: { name: 'add' } }, target)).toBe("ccmcp call add -- node 'my server.js'");
  });

  it.each([
    ['resources/read', { uri: 'note:///1' }, 'ccmcp read http://127.0.0.1:1/mcp note:///1'],
    ['prompts/get', { name: 'review', arguments: { code: 'x' } }, 'ccmcp prompt http://127.0.0.1:1/mcp review code=x'],
    ['ping', {}, 'ccmcp ping http://127.0.0.1:1/mcp'],
  ])('is a command for %s', (method, params, line) => {
    expect(cliSnippet({ connection: 's1', method, params }, url)).toBe(line);
  });

  it('is cURL with variables for secrets, and runs no untrusted text in the shell', () => {
    const headers = [
      ['Authorization', 'Bearer [masked]'],
      ['Mcp-Name', "$(id) 'x"],
      ['Mcp-Param-$(id)', '[masked]'],
    ] as const;
    const line = curlSnippet(call, url, { headers, body: `{"x":"'; id; '"}` });
    const words = shellWords(line.replaceAll('\\\n', ' '));
    expect(words).toEqual([
      'curl',
      '-sN',
      'http://127.0.0.1:1/mcp',
      '-H',
      'Authorization: Bearer ',
      '-H',
      "Mcp-Name: $(id) 'x",
      '-H',
      'Mcp-Param-$(id): $MCP_PARAM_ID_',
      '--data-raw',
      `{"x":"'; id; '"}`,
    ]);
  });

  it('uploads no file through a forged body of a recording', () => {
    const words = shellWords(curlSnippet(call, url, { headers: [], body: '@/etc/passwd' }).replaceAll('\\\n', ' '));
    expect(words.slice(-2)).toEqual(['--data-raw', '@/etc/passwd']);
  });

  it.each([
    ['tools/call', { name: '--token-env=GITHUB_TOKEN' }, ['--token-env=GITHUB_TOKEN']],
    ['resources/read', { uri: '--header=x' }, ['--header=x']],
    ['prompts/get', { name: 'x', arguments: { '--token-env': 'GITHUB_TOKEN' } }, ['--token-env=GITHUB_TOKEN']],
  ])('takes no option that a hostile server injects for one: %s', (method, params, names) => {
    const words = shellWords(cliSnippet({ connection: 's1', method, params }, url));
    expect(words.slice(words.indexOf('--') + 1)).toEqual(names);
    expect(words.slice(0, words.indexOf('--')).filter((word) => word.startsWith('--token-env='))).toEqual([]);
  });

  it('begins no command that a hostile server injects', () => {
    const call = { connection: 's1', method: 'tools/call', params: { name: '--' } };
    expect(() => cliSnippet(call, url)).toThrow('for an option');
  });

  it('contains no options from a recording', () => {
    const target: Target = { kind: 'command', command: 'x', args: [], label: '--token-env=GITHUB_TOKEN' };
    expect(() => cliSnippet(call, target)).toThrow('for an option');
  });

  it('contains no terminal control characters or bidi controls', () => {
    const name = "a\u0003\u001b[201~\u009b\u202e'\\ü\n";
    const line = cliSnippet({ connection: 's1', method: 'tools/call', params: { name } }, url);
    expect(line).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(shellWords(line)).toEqual(['ccmcp', 'call', 'http://127.0.0.1:1/mcp', name]);
    expect(testSnippet({ ...call, result: { content: name } })).not.toMatch(/\p{Bidi_Control}/u);
  });

  it('is not offered as cURL without HTTP', () => {
    expect(() => curlSnippet(call, { kind: 'command', command: 'x', args: [], label: 'x' }, undefined)).toThrow(
      'cURL needs HTTP',
    );
  });

  it('is a test that expects the result', () => {
    expect(testSnippet(call)).toMatchInlineSnapshot(`
      "import assert from 'node:assert/strict';
      import { test } from 'node:test';
      import { testClient } from '@ccmcp/core/testing';
      import { server } from './server.js';

      test("tools/call add", async () => {
        const client = await testClient(server);
        const result = await client.callTool("add", {
          "a": 1,
          "text": "it's $HOME \`id\`",
          "file": "@x",
          "tags": [
            "b"
          ]
        });
        assert.deepEqual(result.content, [
          {
            "type": "text",
            "text": "3"
          }
        ]);
        await client.close();
      });
      "
    `);
  });
});
