import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretName, mask, maskText, type Redact, redactToJson } from './redact.ts';

const redacted = (value: unknown, redact?: Redact): unknown => JSON.parse(redactToJson(value, redact));

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('the default rule', () => {
  it.each([
    'password',
    'userPassword',
    'API-Key',
    'api_key',
    'apiKey',
    'x-auth-token',
    'Authorization',
    'cookie',
    'PIN',
    'clientSecret',
    'key',
    'privateKey',
    'session_id',
  ])('masks values under the name %s, at any depth (OB-02)', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(redacted({ a: [{ [name]: 'hunter2', n: 1 }], [name]: { deep: 'hunter2' } })).toEqual({
      a: [{ [name]: mask, n: 1 }],
      [name]: mask,
    });
  });

  it.each(['keyboard', 'author', 'passenger', 'monkey', 'pinned', 'tokenizer', 'name', ''])(
    'leaves values under the name %j',
    (name) => {
      expect(redacted({ [name]: 'plain' })).toEqual({ [name]: 'plain' });
    },
  );

  it.each([
    [`see ${jwt} there`, `see ${mask} there`],
    ['Authorization: Bearer abcdef123456', `Authorization: ${mask}`],
    ['use sk-abcdefghijklmnop1234', `use ${mask}`],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', mask],
    ['AKIAIOSFODNN7EXAMPLE', mask],
    ['xoxb-1234567890-abc', mask],
    ['postgres://ada:hunter2@db/x', `postgres://ada:${mask}@db/x`],
    ['https://a.example/?token=hunter2&x=1', `https://a.example/?token=${mask}&x=1`],
    ['{"password": "hunter2", "x": 1}', `{"password": "${mask}", "x": 1}`],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----', mask],
    ['nothing of that kind', 'nothing of that kind'],
  ])('finds secrets in texts: %j (OB-02)', (text, shown) => {
    expect(maskText(text)).toBe(shown);
    expect(redacted({ text })).toEqual({ text: shown });
  });

  it('masks numbers, but not booleans and null', () => {
    expect(redacted({ pin: 1234, token: null, key: true })).toEqual({ pin: mask, token: null, key: true });
  });

  it('truncates a long value, with its length and digest', () => {
    expect(redacted({ text: 'ab'.repeat(500) })).toEqual({
      text: expect.stringMatching(/^(ab){32}… \[1000 characters, sha256 [0-9a-f]{64}\]$/),
    });
  });

  it('gives no digest of a long value with a secret in it', () => {
    expect(redacted({ text: `${'a '.repeat(200)}${jwt}` })).toEqual({
      text: expect.stringMatching(/… \[\d+ characters\]$/),
    });
  });

  it('runs in linear time on adversarial texts', () => {
    const nasty = [
      'eyJ'.repeat(50_000),
      'token '.repeat(30_000),
      '://'.repeat(50_000),
      `password${' '.repeat(100_000)}`,
      '-----BEGIN '.repeat(10_000),
    ];
    for (const text of nasty) expect(redacted({ text })).toHaveProperty('text');
  });

  it('gives JSON of bounded length for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), (value) => {
        const text = JSON.stringify(redacted({ value }));
        expect(text.length).toBeLessThan(40_000);
        expect(JSON.parse(text)).toHaveProperty('value');
      }),
    );
  });

  it('keeps names that mean something to JavaScript as names', () => {
    const shown = redacted(JSON.parse('{"__proto__":{"polluted":1},"constructor":"x"}'));
    expect(JSON.stringify(shown)).toBe('{"__proto__":{"polluted":1},"constructor":"x"}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('a custom rule', () => {
  it('runs first, with the path of the value', () => {
    const paths: string[] = [];
    const shown = redacted({ who: { mail: 'ada@example.org' }, list: ['x', 'y'], token: 't' }, (path, value) => {
      paths.push(path.join('.'));
      return path.at(-1) === 'mail' ? 'somebody' : value === 'y' ? 'sk-abcdefghijklmnop' : undefined;
    });

    expect(shown).toEqual({ who: { mail: 'somebody' }, list: ['x', mask], token: mask });
    expect(paths).toEqual(['who', 'who.mail', 'list', 'list.0', 'list.1', 'token']);
  });
});
