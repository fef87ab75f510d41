import { describe, expect, it } from 'vitest';
import { handshakeVersions, revisionOf, statelessVersions } from './history.ts';

const self = (version: string) =>
  ({ version, capabilities: { roots: {} }, clientInfo: { name: 'c', version: '1' }, logLevel: undefined }) as const;

describe.each(handshakeVersions)('a client of %s', (version) => {
  const revision = revisionOf(version);

  it('sends no identity with a request', () => {
    const params = { name: 'x' };
    expect(revision?.address(params, self(version))).toBe(params);
    expect(revision?.address(undefined, self(version))).toBeUndefined();
  });

  it('takes every result as final', () => {
    expect(revision?.outcome({ resultType: 'input_required' })).toBe('complete');
  });
});

describe.each(statelessVersions)('a client of %s', (version) => {
  const revision = revisionOf(version);

  it('sends its identity with every request, and keeps existing metadata (C-V-05)', () => {
    expect(revision?.address({ name: 'x', _meta: { progressToken: 7 } }, self(version))).toEqual({
      name: 'x',
      _meta: {
        progressToken: 7,
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': { roots: {} },
        'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      },
    });
  });

  it('sends its log level, unless the request has one', () => {
    const levelOf = (params: object | undefined): unknown =>
      (params as { _meta: Record<string, unknown> })._meta['io.modelcontextprotocol/logLevel'];
    const wanting = { ...self(version), logLevel: 'info' } as const;
    expect(levelOf(revision?.address({}, wanting))).toBe('info');
    const own = { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } };
    expect(levelOf(revision?.address(own, wanting))).toBe('debug');
  });

  it.each([
    [undefined, 'complete'],
    ['complete', 'complete'],
    ['input_required', 'input_required'],
    ['task', 'unknown'],
  ])('treats a result of type %j as %j (C-V-08)', (resultType, outcome) => {
    expect(revision?.outcome(resultType === undefined ? {} : { resultType })).toBe(outcome);
  });
});
