import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { parseServeOptions } from './serve-options.ts';

const defaults = {
  kind: 'serve',
  servers: ['ccmcp'],
  readOnly: false,
  hard: false,
  framing: 'auto',
  maxMessage: 1_048_576,
  allowHosts: [],
  allowOrigins: [],
  sse: false,
  publicWithoutAuth: false,
  health: false,
  publicAdmin: false,
  inspector: false,
  logRequests: false,
  auditStrict: false,
  sharedNotes: false,
  allowShutdown: false,
};

describe('the command line', () => {
  it('without options serves ccmcp with its default roots', () => {
    expect(parseServeOptions([], {})).toEqual(defaults);
  });

  it('reads the session store from the environment, unless an option overrides it', () => {
    const env = { REDIS_URL: 'redis://one' };
    expect(parseServeOptions(['--http'], env)).toMatchObject({ store: 'redis://one' });
    expect(parseServeOptions(['--http', '--store', 'redis://two'], env)).toMatchObject({ store: 'redis://two' });
    expect(parseServeOptions(['--http'], { REDIS_URL: '' })).not.toHaveProperty('store');
  });

  it.each([
    [['--root', 'x'], { root: 'x' }],
    [['--root=x'], { root: 'x' }],
    [['--root=a=b'], { root: 'a=b' }],
    [['--root=--odd'], { root: '--odd' }],
    [['--root', '-'], { root: '-' }],
    [['--root', 'x', '--root', 'y'], { root: 'y' }],
    [['--read-only'], { readOnly: true }],
    [['--hard', '--root=x'], { hard: true, root: 'x' }],
    [['--framing', 'newline'], { framing: 'newline' }],
    [['--framing=content-length'], { framing: 'content-length' }],
    [['--framing', 'auto'], { framing: 'auto' }],
    [['--max-message', '1024'], { maxMessage: 1024 }],
    [['--max-message=5000000'], { maxMessage: 5_000_000 }],
    [['--rate-limit', '100/s'], { rateLimit: { calls: 100, perMs: 1000 } }],
    [['--rate-limit=5/min', '--http'], { rateLimit: { calls: 5, perMs: 60_000 }, http: {} }],
    [['--http', '--health'], { http: {}, health: true }],
    [['--rate-limit', '1000/h'], { rateLimit: { calls: 1000, perMs: 3_600_000 } }],
    [['--audit', 'a.jsonl'], { audit: 'a.jsonl' }],
    [
      ['--audit=a.jsonl', '--audit-strict', '--audit-key-env', 'KEY'],
      { audit: 'a.jsonl', auditStrict: true, auditKeyVariable: 'KEY' },
    ],
    [['--store', 'redis://localhost', '--http'], { store: 'redis://localhost', http: {} }],
    [['--store', 'postgres://localhost/test', '--http'], { store: 'postgres://localhost/test', http: {} }],
    [['--store=rediss+sentinel://a,b/name', '--http'], { store: 'rediss+sentinel://a,b/name', http: {} }],
    [['--log-level', 'debug'], { logLevel: 'debug' }],
    [['--log-level=emergency'], { logLevel: 'emergency' }],
    [
      ['--root', 'x', '--framing=newline', '--log-level', 'error'],
      { root: 'x', framing: 'newline', logLevel: 'error' },
    ],
    [['moonphase'], { servers: ['moonphase'] }],
    [
      ['--log-level', 'error', 'moonphase', '--allow-shutdown'],
      { servers: ['moonphase'], logLevel: 'error', allowShutdown: true },
    ],
    [['moonphase', 'ccmcp'], { servers: ['moonphase', 'ccmcp'] }],
    [['--http'], { http: {} }],
    [['--http', '--workers', '2', 'notes'], { http: {}, workers: 2, servers: ['notes'] }],
    [['--http', '--admin', '9464'], { http: {}, admin: { port: 9464 } }],
    [
      ['--http', '--admin=0.0.0.0:9464', '--public-admin'],
      { http: {}, admin: { host: '0.0.0.0', port: 9464 }, publicAdmin: true },
    ],
    [['--log-requests'], { logRequests: true }],
    [['--tool-search'], { toolSearch: {} }],
    [['--tool-search', '10', 'notes'], { toolSearch: { above: 10 }, servers: ['notes'] }],
    [['--tool-search', 'notes'], { toolSearch: {}, servers: ['notes'] }],
    [['--http', '--workers=auto', 'notes'], { http: {}, workers: 'auto', servers: ['notes'] }],
    [['--http', 'moonphase'], { http: {}, servers: ['moonphase'] }],
    [['--http', '3000'], { http: { port: 3000 } }],
    [['--http=0'], { http: { port: 0 } }],
    [['--http', '0.0.0.0:80'], { http: { host: '0.0.0.0', port: 80 } }],
    [['--http', '[::1]:80'], { http: { host: '::1', port: 80 } }],
    [['--http', '--sse'], { http: {}, sse: true }],
    [
      ['--http', '1', '--allow-host', 'a', '--allow-host=b', '--allow-origin', 'https://c'],
      { http: { port: 1 }, allowHosts: ['a', 'b'], allowOrigins: ['https://c'] },
    ],
    [
      ['--http', '--api-key-env', 'KEY', '--api-key-header=X-Key', '--public-without-auth'],
      { http: {}, apiKeyVariable: 'KEY', apiKeyHeader: 'X-Key', publicWithoutAuth: true },
    ],
    [
      ['--http', '--oauth', 'https://a', '--resource', 'https://b/mcp', '--scope', 'read write', '--audience=c'],
      {
        http: {},
        oauth: { issuers: ['https://a'], resource: 'https://b/mcp', scopes: ['read', 'write'], audiences: ['c'] },
      },
    ],
  ])('with %j is accepted', (args, options) => {
    expect(parseServeOptions(args, {})).toEqual({ ...defaults, ...options });
  });

  it('reads the root from the environment, unless the option overrides it', () => {
    expect(parseServeOptions([], { CCMCP_ROOT: '/env' })).toMatchObject({ root: '/env' });
    expect(parseServeOptions([], { CCMCP_ROOT: '' })).not.toHaveProperty('root');
    expect(parseServeOptions(['--root', '/option'], { CCMCP_ROOT: '/env' })).toMatchObject({ root: '/option' });
  });

  it.each([
    [['--rot', 'x'], 'There is no option --rot.'],
    [['--rot=x'], 'There is no option --rot.'],
    [['-x'], 'There is no option -x.'],
    [['--'], 'There is no option --.'],
    [['no-such'], /^there is no command or server no-such; the servers are ccmcp, moonphase, /],
    [['--root=x', 'extra'], 'there is no command or server extra'],
    [['moonphase', 'ccmcp', 'moonphase'], 'moonphase is named twice'],
    [['__proto__'], 'there is no command or server __proto__'],
    [['--http', '99999'], '--http must be PORT or HOST:PORT: 99999'],
    [['--http=here'], '--http must be PORT or HOST:PORT: here'],
    [['--sse'], '--sse needs --http'],
    [['--admin', '9464'], '--admin needs --http'],
    [['--http', '--admin', 'here'], '--admin must be PORT or HOST:PORT: here'],
    [['--http', '--admin'], '--admin needs a value'],
    [['--http', '--public-admin'], '--public-admin needs --admin HOST:PORT'],
    [['notes', '--workers', '2'], '--workers needs --http'],
    [['--http', '--workers', '0'], '--workers must be a number of processes from 1 to 999, or auto: 0'],
    [['--http', '--workers', 'two'], '--workers must be a number of processes from 1 to 999, or auto: two'],
    [['--sse=yes', '--http'], '--sse takes no value'],
    [['--api-key-env', 'KEY'], '--api-key-env needs --http'],
    [['--oauth', 'https://login.example.com'], '--oauth needs --http'],
    [['--http', '--oauth', 'https://login.example.com'], '--oauth needs --resource URL'],
    [['--http', '--resource', 'https://api.example.com/mcp'], '--resource needs --oauth ISSUER'],
    [['--http', '--scope', 'read'], '--scope needs --oauth ISSUER'],
    [['--http', '--server-card'], '--server-card needs the public address of this server'],
    [['--server-card', 'https://api.example.com/mcp'], '--server-card needs --http'],
    [
      ['--http', '--oauth', 'https://x', '--resource', 'https://a/mcp', '--server-card', 'https://b/mcp'],
      '--server-card and --resource are two addresses',
    ],
    [['--http', '--audience', 'a'], '--audience needs --oauth ISSUER'],
    [['--root'], '--root needs a value'],
    [['--root='], '--root needs a value'],
    [['--root', ''], '--root needs a value'],
    [['--root', '--framing', 'newline'], '--root needs a value'],
    [['--log-level'], '--log-level needs a value'],
    [['--framing', 'lines'], '--framing must be one of auto, newline, content-length: lines'],
    [['--log-level', 'loud'], /^--log-level must be one of debug, .*, emergency: loud$/],
    [['--log-level', 'INFO'], /^--log-level must be one of/],
    [['--max-message', '1023'], '--max-message must be a whole number of at least 1024: 1023'],
    [['--store', 'redis://localhost'], '--store needs --http'],
    [
      ['--store', 'db://me:secret@x', '--http'],
      '--store must be the URL of a Redis or PostgreSQL, such as redis://HOST:6379 or postgres://HOST/DATABASE',
    ],
    [['--rate-limit', '100'], '--rate-limit must be a number of requests per s, min or h, such as 100/s: 100'],
    [['--rate-limit', '0/s'], /^--rate-limit must be a number/],
    [['--rate-limit', '5/day'], /^--rate-limit must be a number/],
    [['--rate-limit', '-5/s'], /^--rate-limit must be a number/],
    [['--max-message', '1e6'], /^--max-message must be a whole number/],
    [['--max-message', '-5'], /^--max-message must be a whole number/],
    [['--max-message', '2048.5'], /^--max-message must be a whole number/],
    [['--max-message', '9'.repeat(20)], /^--max-message must be a whole number/],
  ])('with %j is rejected, and the error names the mistake', (args, message) => {
    expect(parseServeOptions(args, {})).toMatchObject({ kind: 'mistake', message: expect.stringMatching(message) });
  });

  it.each([[['--help']], [['-h']], [['--root', 'x', '--help']]])('with %j prints help', (args) => {
    expect(parseServeOptions(args, {})).toEqual({ kind: 'help' });
  });

  it.each(['--version', '-v', '-V'])('with %s prints the version of the package', (flag) => {
    expect(parseServeOptions([flag], {})).toEqual({ kind: 'print', text: `${manifest.version}\n` });
  });
});
