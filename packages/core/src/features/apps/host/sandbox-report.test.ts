import { describe, expect, it } from 'vitest';
import { adviceFor, parseReport } from './sandbox-report.ts';

describe('the advice for a blocked request', () => {
  it.each([
    ['connect-src', 'https://api.example/v1/x?y=1', "csp: { connectDomains: ['https://api.example'] }"],
    ['connect-src', 'wss://live.example:8443/', "csp: { connectDomains: ['wss://live.example:8443'] }"],
    ['script-src-elem', 'https://cdn.example/a.js', "csp: { resourceDomains: ['https://cdn.example'] }"],
    ['img-src', 'http://localhost:3000/a.png', "csp: { resourceDomains: ['http://localhost:3000'] }"],
    ['frame-src', 'https://maps.example/', "csp: { frameDomains: ['https://maps.example'] }"],
    ['base-uri', 'https://base.example/', "csp: { baseUriDomains: ['https://base.example'] }"],
    ['script-src', 'eval', 'bundle the page so that it needs no eval, or show it with "relaxed"'],
    ['worker-src', 'blob', 'bundle the page so that it needs no blob: addresses, or show it with "relaxed"'],
    ['connect-src', 'http://[::1]:3000/', 'policies know no addresses of IPv6: use a name for the host'],
    ['object-src', 'https://a.example/', 'put it into the document of the view itself'],
  ])('about %s %s is said (AH-06)', (directive, blocked, advice) => {
    expect(adviceFor(directive, blocked)).toBe(advice);
  });
});

describe('a report', () => {
  it('is parsed in its known forms and truncated', () => {
    expect(parseReport({ kind: 'error', message: 'x'.repeat(1000), source: 7, line: '3' })).toEqual({
      kind: 'error',
      message: 'x'.repeat(500),
      source: '',
      line: 0,
    });
    expect(parseReport({ kind: 'flood', dropped: 9 })).toEqual({ kind: 'flood', dropped: 9 });
    expect(parseReport({ kind: 'refused', what: 'y' })).toEqual({ kind: 'refused', what: 'y' });
  });

  it.each([undefined, null, 'x', {}, { kind: 'other' }])('that is invalid is ignored: %j', (given) => {
    expect(parseReport(given)).toBeUndefined();
  });
});
