import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeCsp, buildCsp } from './csp.ts';
import { cspLists } from './view-meta.ts';
import { anyText } from '../../../../../test/support/any-text.ts';

function policyOf(csp: unknown, options = {}): string {
  return buildCsp(sanitizeCsp(csp).csp, options);
}

const strict = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ');

describe('the policy of a view', () => {
  it.each([undefined, null, {}, [], 'x', { connectDomains: 'https://a.example' }, { connectDomains: [] }])(
    'is the strictest for %j (AH-03)',
    (csp) => {
      expect(policyOf(csp)).toBe(strict);
    },
  );

  it('has each declared origin in its directive (AH-03)', () => {
    const policy = policyOf({
      connectDomains: ['https://api.example', 'wss://live.example:8443'],
      resourceDomains: ['https://*.cdn.example'],
      frameDomains: ['https://maps.example'],
      baseUriDomains: ['https://base.example'],
    });

    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'unsafe-inline' https://*.cdn.example",
      "style-src 'self' 'unsafe-inline' https://*.cdn.example",
      "img-src 'self' data: https://*.cdn.example",
      "font-src 'self' https://*.cdn.example",
      "media-src 'self' data: https://*.cdn.example",
      'connect-src https://api.example wss://live.example:8443',
      'frame-src https://maps.example',
      "object-src 'none'",
      'base-uri https://base.example',
    ]);
  });

  it('allows eval and blob scripts only if relaxed (AH-06)', () => {
    const relaxed = policyOf({}, { relaxed: true });

    expect(relaxed).toContain("script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob: data:;");
    expect(relaxed).toContain("worker-src 'self' blob: data:;");
    expect(relaxed).toContain('connect-src blob: data:;');
    expect(relaxed).toContain("default-src 'none'");
    expect(relaxed).not.toMatch(/\*|https?:/);
  });

  it.each([
    'https://a.example; script-src *',
    "https://a.example 'unsafe-eval'",
    'https://a.example\r\nSet-Cookie: a=b',
    'https://a.example\n',
    'https://a.example/path',
    'https://user@a.example',
    'https://*',
    '*',
    'https:',
    'data:',
    "'self'",
    'https://a.example,https://b.example',
    'javascript://a.example',
    'https://ä.example',
    'https://a.example:99999',
    'http://[::1]:3000',
    'https://[2001:db8::1]',
    '"https://a.example"',
    'https://a.example\u2028',
    'https://a.example\0',
    ' https://a.example',
    'blob:',
    'filesystem:',
    "'unsafe-eval'",
    "'nonce-x'",
    'https://*.*.example',
    'https://a.*.example',
    'https://a.example:*',
    '',
    7,
    null,
    { toString: () => 'https://a.example' },
  ])('drops and reports a value that is no origin: %j (AH-04)', (entry) => {
    const lists = Object.fromEntries(cspLists.map((name) => [name, [entry, 'https://good.example']]));
    const { csp, rejected } = sanitizeCsp(lists);

    expect(Object.values(csp)).toEqual(cspLists.map(() => ['https://good.example']));
    expect(rejected).toHaveLength(cspLists.length);
  });

  it('limits the number of origins to the size of a header (AH-04)', () => {
    const { csp, rejected } = sanitizeCsp({
      connectDomains: Array.from({ length: 200 }, (_, index) => `https://a${index}.example`),
    });

    expect(csp.connectDomains).toHaveLength(64);
    expect(rejected).toHaveLength(100);
  });

  const hostile = fc.oneof(
    fc.string(),
    anyText(),
    fc
      .tuple(fc.webUrl(), fc.constantFrom(';', ' ', '\n', '\r\n', "'", '"', ',', '\t', '\0', '*', '/'), fc.string())
      .map((parts) => parts.join('')),
    fc.webUrl(),
    fc.webAuthority().map((host) => `https://${host}`),
    fc.anything(),
  );
  const anyCsp = fc.record(
    Object.fromEntries(cspLists.map((name) => [name, fc.oneof(fc.array(hostile), fc.anything())])),
    { requiredKeys: [] },
  );

  it('contains only keywords and origins, whatever is declared (AH-04)', () => {
    const names = strict.split('; ').map((directive) => directive.split(' ')[0]);
    const words =
      /^(?:'none'|'self'|'unsafe-inline'|data:|(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9.-]+(?::\d+)?|(?:https?|wss?):\/\/\[[0-9a-f:.]+\](?::\d+)?)$/;
    fc.assert(
      fc.property(anyCsp, (given) => {
        const directives = policyOf(given).split(';');
        expect(directives.map((directive) => directive.trim().split(' ')[0])).toEqual(names);
        for (const directive of directives) {
          const [, ...sources] = directive.trim().split(' ');
          expect(sources.length).toBeGreaterThan(0);
          for (const source of sources) expect(source).toMatch(words);
        }
      }),
      { numRuns: 500 },
    );
  });
});
