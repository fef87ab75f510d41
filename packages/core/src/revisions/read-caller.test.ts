import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../jsonrpc/errors.ts';
import type { Request } from '../jsonrpc/message.ts';
import { MetaKey } from '../protocol/meta.ts';
import { callerInSession, claimsStateless, readCaller } from './read-caller.ts';
import { handshakeVersions, revisions, statelessVersions } from './history.ts';
import { negotiate } from './negotiate.ts';
import type { Caller, Revision } from './revision.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
type Version = (typeof versions)[number];

/** Since when a name exists, and up to when. */
type Span = readonly [from: Version, to: Version];
const always: Span = ['2024-11-05', '2026-07-28'];
const handshakeOnly: Span = ['2024-11-05', '2025-11-25'];
const statelessOnly: Span = ['2026-07-28', '2026-07-28'];

/** The tables of the specification, as far as a server has a part in them; written out apart from the code. */
const tables: Record<'requests' | 'notifications' | 'questions', Record<string, Span>> = {
  requests: {
    initialize: handshakeOnly,
    ping: handshakeOnly,
    'server/discover': statelessOnly,
    'tools/list': always,
    'tools/call': always,
    'resources/list': always,
    'resources/templates/list': always,
    'resources/read': always,
    'resources/subscribe': handshakeOnly,
    'resources/unsubscribe': handshakeOnly,
    'prompts/list': always,
    'prompts/get': always,
    'completion/complete': always,
    'logging/setLevel': handshakeOnly,
    'subscriptions/listen': statelessOnly,
  },
  notifications: {
    'notifications/initialized': handshakeOnly,
    'notifications/cancelled': always,
    'notifications/progress': handshakeOnly,
    'notifications/roots/list_changed': handshakeOnly,
  },
  questions: {
    ping: handshakeOnly,
    'sampling/createMessage': always,
    'roots/list': always,
    'elicitation/create': ['2025-06-18', '2026-07-28'],
  },
};

function revisionOf(version: string): Revision {
  return revisions.find((revision) => revision.version === version) as Revision;
}

function request(method: string, params?: Record<string, unknown>): Request {
  return { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) };
}

function failure(run: () => unknown): { code: number; message: string; data?: unknown } {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError);
    return (error as ProtocolError).toBody();
  }
  throw new Error('It did not fail');
}

describe('the revisions', () => {
  it('are complete and ordered, in two eras', () => {
    expect(revisions.map(({ version }) => version)).toEqual(versions);
    expect(handshakeVersions).toEqual(versions.slice(0, 4));
    expect(statelessVersions).toEqual(['2026-07-28']);
  });

  for (const version of versions) {
    for (const [kind, table] of Object.entries(tables) as [keyof typeof tables, Record<string, Span>][]) {
      it(`${version} has exactly its ${kind}`, () => {
        const expected = Object.entries(table).filter(([, [from, to]]) => from <= version && version <= to);
        expect([...revisionOf(version)[kind]].toSorted()).toEqual(expected.map(([name]) => name).toSorted());
      });
    }
  }

  it('have batches in 2025-03-26 only', () => {
    expect(revisions.filter(({ batches }) => batches).map(({ version }) => version)).toEqual(['2025-03-26']);
  });

  it('drop the codes for missing resources and URL elicitation in 2026-07-28 (S-B-08, S-R-02)', () => {
    for (const version of handshakeVersions) expect(revisionOf(version).codes.size).toBe(0);
    expect([...revisionOf('2026-07-28').codes]).toEqual([
      [-32002, -32602],
      [-32042, -32603],
    ]);
  });

  it('return a result of the newest form unchanged in the newest revision', () => {
    expect(revisionOf('2026-07-28').downgrade).toEqual({});
  });

  it('add no era fields in the handshake era (S-B-17)', () => {
    for (const version of handshakeVersions) expect(revisionOf(version).addEraFields).toBeUndefined();
  });
});

describe('negotiating a handshake', () => {
  it.each(versions.slice(0, 4))('gives %s to a client that requests it (S-V-02)', (version) => {
    expect(negotiate(version, 'dates').version).toBe(version);
    expect(negotiate(version, 'known').version).toBe(version);
  });

  it.each(['2026-07-28', '2024-10-07', '2030-01-01', '0000-00-00'])('offers the newest for %s (S-V-03)', (version) => {
    expect(negotiate(version, 'dates').version).toBe('2025-11-25');
    expect(failure(() => negotiate(version, 'known'))).toEqual({
      code: -32602,
      message: 'Unsupported protocol version',
      data: { supported: handshakeVersions, requested: version },
    });
  });

  it.each([
    ['1.0.0'],
    ['2025-11-25 '],
    [' 2025-11-25'],
    ['2025-11-25\n'],
    ['25-11-25'],
    ['DRAFT-2026'],
    [''],
    [20251125],
    [true],
    [['2025-11-25']],
    [{ version: '2025-11-25' }],
    [null],
    [undefined],
  ])('rejects %j, which is not a date, unless any version is accepted', (requested) => {
    expect(negotiate(requested, 'any').version).toBe('2025-11-25');
    expect(failure(() => negotiate(requested, 'dates'))).toEqual({
      code: -32602,
      message: 'Unsupported protocol version',
      data: { supported: handshakeVersions, requested: requested ?? null },
    });
  });
});

const introduction = { [MetaKey.protocolVersion]: '2026-07-28', [MetaKey.clientCapabilities]: { roots: {} } };
const session = { revision: revisionOf('2025-03-26'), capabilities: {}, clientInfo: undefined, logLevel: undefined };

/** As the server decides it on a transport without headers. */
function callerOf(asked: Request, known: { revision: Revision | undefined } | undefined): Caller {
  return readCaller(asked) ?? callerInSession(asked, known, (method) => method === 'com.example/added');
}

describe('the caller of a request', () => {
  it('is the one in the request, whatever the session has (S-B-10)', () => {
    const clientInfo = { name: 'c', version: '1' };
    const _meta = { ...introduction, [MetaKey.clientInfo]: clientInfo, [MetaKey.logLevel]: 'debug' };
    expect(callerOf(request('tools/list', { _meta }), session)).toEqual({
      revision: revisionOf('2026-07-28'),
      capabilities: { roots: {} },
      clientInfo,
      logLevel: 'debug',
    });
  });

  it('may have no name, and gets log messages on request only (S-L-04)', () => {
    const caller = callerOf(request('tools/list', { _meta: introduction }), undefined);
    expect(caller).toMatchObject({ clientInfo: undefined, logLevel: undefined });
  });

  it('is the client of the session if the request has no identity', () => {
    expect(callerOf(request('tools/list'), session)).toBe(session);
    expect(callerOf(request('tools/list', { _meta: { progressToken: 1 } }), session)).toBe(session);
    expect(callerOf(request('tools/list', { _meta: { [MetaKey.clientCapabilities]: {} } }), session)).toBe(session);
  });

  it('is anonymous for a ping before the handshake', () => {
    expect(callerOf(request('ping'), undefined)).toMatchObject({ capabilities: {}, logLevel: undefined });
    expect(callerOf(request('ping'), { revision: undefined }).revision.version).toBe('2025-11-25');
  });

  it.each([
    ['tools/list', -32002],
    ['logging/setLevel', -32002],
    ['server/discover', -32602],
    ['subscriptions/listen', -32602],
    ['com.example/added', -32002],
    ['no/such', -32601],
    ['toString', -32601],
  ])('must be known for %s: %d without (LC-04)', (method, code) => {
    expect(failure(() => callerOf(request(method), { revision: undefined })).code).toBe(code);
    expect(failure(() => callerOf(request(method), undefined)).code).toBe(code);
  });

  it.each([[null], [[]], ['x'], [7]])('can not be read from %j as metadata', (_meta) => {
    expect(failure(() => callerOf(request('tools/list', { _meta }), session)).code).toBe(-32602);
  });

  it.each([[null], [7], [['2026-07-28']], [{}]])('can not have the version %j', (version) => {
    const _meta = { ...introduction, [MetaKey.protocolVersion]: version };
    expect(failure(() => callerOf(request('tools/list', { _meta }), session)).code).toBe(-32602);
  });

  it.each(['2025-11-25', '2027-01-01', '', 'v999.0.0'])(
    'gets an error that says which versions there are instead of "%s" (S-V-07)',
    (version) => {
      const _meta = { ...introduction, [MetaKey.protocolVersion]: version };
      expect(failure(() => callerOf(request('tools/list', { _meta }), session))).toMatchObject({
        code: -32022,
        data: { supported: ['2026-07-28'], requested: version },
      });
    },
  );
});

describe('a stateless claim', () => {
  it.each([
    [undefined, false],
    [{}, false],
    [{ _meta: null }, false],
    [{ _meta: [] }, false],
    [{ _meta: { progressToken: 1, [MetaKey.clientCapabilities]: {} } }, false],
    [{ _meta: { [MetaKey.protocolVersion]: '2025-11-25' } }, true],
    [{ _meta: { [MetaKey.protocolVersion]: null } }, true],
    [{ [MetaKey.protocolVersion]: '2026-07-28' }, false],
  ])('of %j is %s', (params, claim) => {
    expect(claimsStateless(params as Record<string, unknown> | undefined)).toBe(claim);
  });
});

describe('the era of an HTTP request', () => {
  const claim = { _meta: introduction };

  it.each([
    ['tools/list', claim, '2026-07-28', 'stateless'],
    ['initialize', claim, '2026-07-28', 'stateless'],
    ['tools/list', {}, undefined, 'handshake'],
    ['tools/list', {}, '2025-06-18', 'handshake'],
    ['initialize', {}, undefined, 'handshake'],
    ['initialize', {}, '2025-11-25', 'handshake'],
    ['no/such', {}, undefined, 'handshake'],
  ])('of %s with %j and the header %s is %s', (method, params, header, era) => {
    const caller = readCaller(request(method, params), { version: header });
    expect(caller?.revision.era ?? 'handshake').toBe(era);
  });

  it.each([
    ['tools/list', '2026-07-28', -32602],
    ['tools/list', '2030-01-01', -32602],
    ['server/discover', undefined, -32602],
    ['subscriptions/listen', '2025-11-25', -32602],
    ['initialize', '2026-07-28', -32020],
  ])('of %s without a claim, with the header %s, is an error %d', (method, header, code) => {
    expect(failure(() => readCaller(request(method), { version: header })).code).toBe(code);
  });

  it.each(['server/discover', 'subscriptions/listen'])('of %s in a session is that of the session', (method) => {
    expect(readCaller(request(method), { version: '2025-11-25', session: 's' })).toBeUndefined();
    expect(failure(() => readCaller(request(method), { version: '2026-07-28', session: 's' })).code).toBe(-32602);
  });

  it.each([[undefined], ['2025-11-25'], ['2026-07-29']])('is an error where the header is %s (S-M-04)', (header) => {
    const claiming = request('tools/list', claim);
    expect(failure(() => readCaller(claiming, { version: header })).code).toBe(-32020);
    expect(readCaller(claiming)?.revision.version).toBe('2026-07-28');
  });
});
