import { Refusal } from '../targets.ts';
import type { CopiedCall } from './snippet-call.ts';

const testing = '@ccmcp/core/testing';

/** A call as a test of `node:test` with `@ccmcp/core/testing`; what it expects is what came. */
export function asTest({ method, params, result }: CopiedCall): string {
  const { name, uri, arguments: args = {} } = params;
  const [asked, subject] = askedBy(method, { name, uri, args });
  const expected = result === undefined ? ['assert.ok(result);'] : expectations(result);
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClient } from '${testing}';
import { server } from '../again/server.js';

test(${literal(`${method} ${subject}`)}, async () => {
  const client = await testClient(server);
  const result = await client.${asked};
  ${expected.join('\n  ')}
  await client.close();
});
`;
}

function askedBy(
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
      throw new Refusal(`There is no test for "${method}"`, 'Tools, prompts and resources can be copied as tests.');
  }
}

/** What stays the same: not what is said about the answer, but the answer. */
function expectations(result: unknown): string[] {
  const { content, structuredContent, isError, messages, contents } = result as Record<string, unknown>;
  const parts = { content, structuredContent, messages, contents, ...(isError === true && { isError }) };
  const there = Object.entries(parts).filter(([, part]) => part !== undefined);
  return there.map(([name, part]) => `assert.deepEqual(result.${name}, ${indented(part)});`);
}

function indented(value: unknown): string {
  return seen(JSON.stringify(value, null, 2) ?? 'undefined').replaceAll('\n', '\n  ');
}

function literal(value: unknown): string {
  return seen(JSON.stringify(String(value)));
}

/** Code in which what changes the direction of a line is spelled out: it must be what it looks like. */
function seen(code: string): string {
  return code.replaceAll(/\p{Bidi_Control}/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
