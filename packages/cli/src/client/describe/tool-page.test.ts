import { describe, expect, it } from 'vitest';
import { toolTokens } from '@ccmcp/core/client';
import { describeHints, promptPage, toolPage, describeAccess } from './tool-page.ts';

const search = {
  name: 'search',
  title: 'Search things',
  description: 'Finds things.\n\nAll of them.',
  inputSchema: {
    type: 'object',
    properties: { limit: { type: 'integer', default: 10 }, text: { type: 'string', description: 'What to find' } },
    required: ['text'],
  },
  outputSchema: { type: 'object', properties: { found: { type: 'array', items: { type: 'string' } } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

describe('the page of a tool', () => {
  it('shows all parts of a definition', () => {
    expect(
      toolPage(search, 'ccmcp call x search text=text'),
    ).toBe(`search(text: string, limit?: integer = 10) -> { found?: string[] }

Search things

Finds things.

All of them.

Arguments
  text (string, required)
      What to find
  limit (integer)
      default: 10

Gives
  found (string[])

According to the server, it
  only reads
  stays within the server

Example
  ccmcp call x search text=text

Costs a model about ${toolTokens(search)} tokens (a quarter of the bytes of names, descriptions and input schemas as JSON).`);
  });

  it('shows absent parts as such', () => {
    const page = toolPage({ name: 'x' }, undefined);
    expect(page).toContain('Arguments\n  none\n');
    expect(page).toContain('No values could be made up');
    expect(page).not.toContain('Gives');
  });

  it('shows which arguments are required together, if there are alternatives', () => {
    const either = {
      anyOf: [{ required: ['id'] }, { required: ['name', 'kind'] }],
      properties: { id: {}, name: {}, kind: {} },
    };
    expect(toolPage({ name: 'x', inputSchema: { type: 'object', ...either } }, undefined)).toContain(
      'One of these is needed: id; name and kind',
    );
  });

  it('escapes line breaks of a hostile server', () => {
    const page = toolPage(
      { name: 'x', inputSchema: { properties: { 'a\nExample\n  rm -rf': { type: 'string' } } } },
      undefined,
    );
    expect(page.match(/^Example$/gm)).toHaveLength(1);
  });
});

describe('the page of a prompt', () => {
  it('shows its arguments', () => {
    const prompt = { name: 'p', arguments: [{ name: 'a', description: 'What', required: true }, { name: 'b' }] };
    expect(promptPage(prompt, 'ccmcp prompt x p a=text')).toBe(
      'p(a, b?)\n\nArguments\n  a (string, required)\n      What\n  b (string)\n\nExample\n  ccmcp prompt x p a=text',
    );
  });
});

describe('tool annotations', () => {
  it.each([
    [{}, []],
    [{ readOnlyHint: true, destructiveHint: true }, ['only reads']],
    [{ readOnlyHint: false }, ['changes things']],
    [{ destructiveHint: true }, ['may destroy something']],
    [{ readOnlyHint: false, destructiveHint: false }, ['adds, and destroys nothing']],
    [
      { idempotentHint: true, openWorldHint: true },
      ['may be repeated without harm', 'reaches beyond the server, such as into the web'],
    ],
  ])('%j are shown as %j', (hints, expected) => {
    expect(describeHints(hints)).toEqual(expected);
  });
});

describe('the token estimate of a tool', () => {
  it('is a quarter of the bytes that a model gets', () => {
    const { name, description, inputSchema } = search;
    const bytes = Buffer.byteLength(JSON.stringify({ name, description, inputSchema }));
    expect(toolTokens(search)).toBe(Math.ceil(bytes / 4));
    expect(toolTokens({ name: 'x', description: '月'.repeat(40) })).toBeGreaterThan(
      toolTokens({ name: 'x', description: 'a'.repeat(40) }),
    );
  });
});

describe('the scopes of a tool', () => {
  it('are described', () => {
    expect(describeAccess([{ type: 'noauth' }])).toEqual(['by anyone']);
    expect(describeAccess([{ type: 'oauth2', scopes: ['a', 'b'] }])).toEqual(['by callers with the scopes a, b']);
    expect(describeAccess([{ type: 'noauth' }, { type: 'oauth2' }])).toEqual(['by anyone', 'by signed-in callers']);
  });

  it.each([undefined, null, 'oauth2', {}, [null], [7], [{ type: 'other' }]])(
    'is left out where it is %j',
    (schemes) => {
      expect(describeAccess(schemes)).toEqual([]);
    },
  );

  it('are limited in number, and omit non-strings', () => {
    const scopes = [7, ...Array.from({ length: 1000 }, (_, each) => `s${each}`)];
    expect(describeAccess([{ type: 'oauth2', scopes }])[0]?.length).toBeLessThan(200);
  });

  it('are on the page of the tool, with control characters escaped', () => {
    const scopes = ['a\u001B[31m'];
    const page = toolPage({ name: 'x', securitySchemes: [{ type: 'oauth2', scopes }] }, undefined);
    expect(page).toContain('May be called\n  by callers with the scopes a');
    expect(page).not.toContain('\u001B');
  });
});
