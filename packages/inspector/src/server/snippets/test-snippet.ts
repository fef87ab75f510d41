import { RequestError } from '../targets.ts';
import type { SnippetCall } from './snippet-call.ts';

const testing = '@ccmcp/core/testing';

/** Formats a call as a `node:test` test with `@ccmcp/core/testing` that expects the recorded result. */
export function testSnippet({ method, params, result }: SnippetCall): string {
  const { name, uri, arguments: args = {} } = params;
  const [asked, subject] = clientCall(method, { name, uri, args });
  const expected = result === undefined ? ['assert.ok(result);'] : expectations(result);
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClient } from '${testing}';
import { server } from './server.js';

test(${literal(`${method} ${subject}`)}, async () => {
  const client = await testClient(server);
  const result = await client.${asked};
  ${expected.join('\n  ')}
  await client.close();
});
`;
}

function clientCall(
  method: string,
  { name, uri, args }: { name: unknown; uri: unknown; args: unknown },
): [asked: string, subject: string] {
  switch (method) {
    case 'tools/call':
      return [`callTool(${literal(name)}, ${indented(args)})`, String(name)];
    case 'prompts/get':
      return [`getPrompt(${literal(name)}, ${indented(args)})`, String(name)];
    case 'resources/read':
      return [`readResource(${literal(uri)})`, String(uri)];
    default:
      throw new RequestError(
        `There is no test for "${method}"`,
        'Tools, prompts and resources can be copied as tests.',
      );
  }
}

/** Assertions on the stable parts of a result. */
function expectations(result: unknown): string[] {
  const { content, structuredContent, isError, messages, contents } = result as Record<string, unknown>;
  const context = { content, structuredContent, messages, contents, ...(isError === true && { isError }) };
  const there = Object.entries(context).filter(([, part]) => part !== undefined);
  return there.map(([name, part]) => `assert.deepEqual(result.${name}, ${indented(part)});`);
}

function indented(value: unknown): string {
  return escapeBidi(JSON.stringify(value, null, 2) ?? 'undefined').replaceAll('\n', '\n  ');
}

function literal(value: unknown): string {
  return escapeBidi(JSON.stringify(String(value)));
}

/** Escapes bidi controls, so that the code is what it looks like. */
function escapeBidi(code: string): string {
  return code.replaceAll(/\p{Bidi_Control}/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
