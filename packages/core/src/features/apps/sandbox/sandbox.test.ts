import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeCsp } from '../csp.ts';
import { decodeSettings, type SandboxSettings, encodeSettings } from '../sandbox-settings.ts';
import { appSandbox } from './sandbox.ts';

const host = 'http://127.0.0.1:6280';
const sandbox = appSandbox({ hosts: [host] });

function settings(changes: Partial<SandboxSettings> = {}): SandboxSettings {
  return { host, own: true, relaxed: false, csp: sanitizeCsp({}).csp, permissions: [], ...changes };
}

function get(path: string, at = 'http://v1.localhost:7000'): Response {
  return sandbox(new Request(`${at}${path}`));
}

function policy(response: Response): string[] {
  return (response.headers.get('content-security-policy') ?? '').split('; ');
}

describe('the sandbox', () => {
  it('lets only its host frame the proxy, and the proxy only one page (AH-07)', () => {
    const text = encodeSettings(settings());
    expect(policy(get(`/proxy/${text}`)).filter((line) => !line.startsWith('script-src'))).toEqual([
      "default-src 'none'",
      `frame-src v1-view.localhost:7000/view/${text}`,
      `frame-ancestors ${host}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('gives the page of a view the policy of its settings, as a header (AH-03)', () => {
    const csp = sanitizeCsp({ connectDomains: ['https://a.example'] }).csp;
    const lines = policy(get(`/view/${encodeSettings(settings({ csp }))}`, 'http://v1-view.localhost:7000'));
    expect(lines).toContain('connect-src https://a.example');
    expect(lines).toContain("default-src 'none'");
    expect(lines.at(-1)).toBe(`frame-ancestors ${host} v1.localhost:7000`);
    const opaque = policy(get(`/view/${encodeSettings(settings({ own: false }))}`));
    expect(opaque.slice(-2)).toEqual([
      `frame-ancestors ${host} v1.localhost:7000`,
      'sandbox allow-scripts allow-forms',
    ]);
  });

  it('serves nothing but its pages, and only to its hosts', () => {
    expect(get(`/proxy/${encodeSettings(settings({ host: 'https://evil.example' }))}`).status).toBe(403);
    const good = encodeSettings(settings());
    for (const path of ['/', '/proxy', '/proxy/', '/proxy/%', '/proxy/e30', `/other/${good}`, `/proxy/${good}/x`]) {
      expect(get(path).status).toBe(404);
    }
    expect(sandbox(new Request(`http://v1.localhost:7000/view/${good}`, { method: 'POST' })).status).toBe(405);
  });

  it('rejects hosts that are no origins', () => {
    for (const wrong of ['*', 'http://a.example/', 'http://a.example; x', 'a.example', "http://a.example 'self'"]) {
      expect(() => appSandbox({ hosts: [wrong] })).toThrow('hosts must be origins');
    }
  });

  it('accepts only settings from its URL (AH-04)', () => {
    const hostile = fc.record(
      {
        host: fc.constantFrom(host, 'x', `${host}; script-src *`),
        own: fc.anything(),
        relaxed: fc.boolean(),
        csp: fc.anything(),
        permissions: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          hostile,
          fc.json().map((text) => JSON.parse(text) as unknown),
        ),
        (given) => {
          const text = Buffer.from(JSON.stringify(given) ?? '').toString('base64url');
          const read = decodeSettings(text);
          if (read === undefined) return;
          expect(read.host).toBe(host);
          const response = get(`/proxy/${text}`);
          expect(response.headers.get('content-security-policy')).not.toMatch(/[\r\n*]|script-src (?!'nonce)/);
        },
      ),
    );
  });

  it('writes its settings into the page so that they can not end its script (AH-04)', async () => {
    const html = await get(`/proxy/${encodeSettings(settings())}`).text();
    expect(html.match(/<\/script>/g)).toHaveLength(1);
  });
});
