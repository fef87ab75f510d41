import { describe, expect, it } from 'vitest';
import { maxBytes, validateDocument } from './validate-document.ts';
import type { ViewCsp } from '../view-meta.ts';

function problemOf(body: string, csp?: ViewCsp): string | undefined {
  try {
    validateDocument('The view "ui://a/b"', `<!doctype html><title>A</title>${body}`, csp);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
}

describe('the document of a view', () => {
  it('must be a whole document (AP-10)', () => {
    expect(() => validateDocument('V', '<p>hello</p>')).toThrow('<!doctype html>');
    expect(() => validateDocument('V', '\uFEFF<!-- note --> <!DOCTYPE HTML><p>hello</p>')).not.toThrow();
  });

  it('must not be larger than the limit, in bytes (AP-17)', () => {
    expect(problemOf('é'.repeat(maxBytes / 2))).toMatch(/has \d+ bytes, and \d+ is the most/);
    expect(problemOf('e'.repeat(maxBytes / 2))).toBeUndefined();
  });

  it.each([
    ['<script src="https://cdn.example/a.js"></script>', 'resourceDomains', 'https://cdn.example'],
    ['<link rel=stylesheet href=https://cdn.example/a.css>', 'resourceDomains', 'https://cdn.example'],
    ["<img alt='>' src='http://localhost:3000/a.png'>", 'resourceDomains', 'http://localhost:3000'],
    ['<img srcset="data:image/png;base64,AA 1x, https://i.example/b 2x">', 'resourceDomains', 'https://i.example'],
    ['<img src="//i.example/b">', 'resourceDomains', 'https://i.example'],
    ['<video poster="https://v.example/p"></video>', 'resourceDomains', 'https://v.example'],
    ['<style>a { background: url( "https://f.example/x" ) }</style>', 'resourceDomains', 'https://f.example'],
    ["<style>@import 'https://f.example/x'</style>", 'resourceDomains', 'https://f.example'],
    ['<p style="background: url(https://f.example/x)">', 'resourceDomains', 'https://f.example'],
    ['<script type=module>import x from "https://m.example/x"</script>', 'resourceDomains', 'https://m.example'],
    ['<script>await import(`https://m.example/x`)</script>', 'resourceDomains', 'https://m.example'],
    ['<script>fetch("https://api.example/x?a=1&b=2")</script>', 'connectDomains', 'https://api.example'],
    ["<script>new WebSocket('wss://api.example/x')</script>", 'connectDomains', 'wss://api.example'],
    ['<iframe src="https://frame.example"></iframe>', 'frameDomains', 'https://frame.example'],
    ['<base href="https://base.example/">', 'baseUriDomains', 'https://base.example'],
  ] as const)('is rejected if it loads from an undeclared origin: %s (AP-15, AP-17)', (body, list, origin) => {
    expect(problemOf(body)).toContain(`csp: { ${list}: ["${origin}"] }`);
    expect(problemOf(body, { [list]: [origin] })).toBeUndefined();
  });

  it('may load from below an origin with a wildcard, and from no other port', () => {
    const csp = { resourceDomains: ['https://*.example.com'] };
    expect(problemOf('<img src="https://a.b.example.com/x">', csp)).toBeUndefined();
    expect(problemOf('<img src="https://example.com/x">', csp)).toContain('will block');
    expect(problemOf('<img src="https://a.example.com:8443/x">', csp)).toContain('will block');
    expect(problemOf('<img src="http://a.example.com/x">', csp)).toContain('will block');
  });

  it.each([
    '<script src="app.js"></script>',
    '<link rel="stylesheet" href="/a.css">',
    '<img src="../a.png">',
    '<img src="file:///a.png">',
  ])('is rejected if it loads a relative URL: %s (AP-15)', (body) => {
    expect(problemOf(body)).toContain('there is nothing beside a view');
  });

  it('may have URLs relative to a declared base', () => {
    const body = '<base href="https://b.example/dir/"><img src="a.png">';
    expect(problemOf(body, { baseUriDomains: ['https://b.example'] })).toContain('resourceDomains');
    expect(
      problemOf(body, { baseUriDomains: ['https://b.example'], resourceDomains: ['https://b.example'] }),
    ).toBeUndefined();
  });

  it.each([
    '<a href="https://elsewhere.example">link</a>',
    '<svg xmlns="http://www.w3.org/2000/svg"><use href="#moon"/></svg>',
    '<script>const ns = "http://www.w3.org/2000/svg"; // see https://docs.example\n</script>',
    '<!-- <img src="https://gone.example/a"> -->',
    '<img src="data:image/png;base64,AA"><style>a { background: url(#x) }</style>',
    '<link rel="canonical" href="https://elsewhere.example">',
    '<script>if (a < b) html = `<img src="x.png">`</script>',
  ])('may contain URLs that are not loaded: %s', (body) => {
    expect(problemOf(body)).toBeUndefined();
  });
});
