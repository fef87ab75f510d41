import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../jsonrpc/errors.ts';
import type { Params, Request } from '../jsonrpc/message.ts';
import type { ElicitParams, SampleParams } from '../protocol/questions.ts';
import type { WireSchema } from '../protocol/listing.ts';
import { MetaKey } from '../protocol/meta.ts';
import { callerInSession, readCaller } from './read-caller.ts';
import { foldRevisions } from './fixtures/fold-revisions.ts';
import { handshakeRevision, handshakeVersions, revisions, statelessVersions } from './history.ts';
import type { Caller, Downgrades, Revision } from './revision.ts';
import { stateless } from './stateless.ts';

const newest = statelessVersions.at(-1) as string;

function request(method: string, params?: Params): Request {
  return { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) };
}

function claim(members: Record<string, unknown>): Params {
  return { _meta: { [MetaKey.protocolVersion]: newest, [MetaKey.clientCapabilities]: {}, ...members } };
}

function downgradesOf(version: string): Downgrades {
  return revisions.find((revision) => revision.version === version)?.downgrade ?? {};
}

function callerOf(asked: Request, session: { revision: Revision | undefined } | undefined): Caller {
  return readCaller(asked) ?? callerInSession(asked, session, () => false);
}

describe('a request with invalid caller metadata gets an error that says what is wrong', () => {
  it.each<[what: string, params: Params, code: number, message: string]>([
    ['meta that is a list', { _meta: [] }, ErrorCode.InvalidParams, '"_meta" must be an object'],
    [
      'a version that is no text',
      claim({ [MetaKey.protocolVersion]: 5 }),
      ErrorCode.InvalidParams,
      `_meta["${MetaKey.protocolVersion}"] must be a string`,
    ],
    [
      'an unknown version',
      claim({ [MetaKey.protocolVersion]: '1999-01-01' }),
      ErrorCode.UnsupportedVersion,
      'Unsupported protocol version',
    ],
    [
      'no capabilities',
      claim({ [MetaKey.clientCapabilities]: undefined }),
      ErrorCode.InvalidParams,
      `Missing or malformed _meta["${MetaKey.clientCapabilities}"]: an object is required`,
    ],
    [
      'a name that is a text',
      claim({ [MetaKey.clientInfo]: 'me' }),
      ErrorCode.InvalidParams,
      `Malformed _meta["${MetaKey.clientInfo}"]: "name" and "version" must be strings`,
    ],
    [
      'an unknown log level',
      claim({ [MetaKey.logLevel]: 'trace' }),
      ErrorCode.InvalidParams,
      `Unknown log level in _meta["${MetaKey.logLevel}"]: ` +
        'use one of debug, info, notice, warning, error, critical, alert, emergency',
    ],
  ])('%s', (_, params, code, message) => {
    expect(() => callerOf(request('tools/list', params), undefined)).toThrow(
      expect.objectContaining({ code, message }),
    );
  });
});

describe('a request before the handshake', () => {
  it.each([
    ['tools/list', ErrorCode.NotInitialized, 'Server not initialized: send "initialize" first, or name the protocol'],
    ['no/such', ErrorCode.MethodNotFound, 'Method not found: no/such'],
    [
      'server/discover',
      ErrorCode.InvalidParams,
      `"server/discover" needs _meta["${MetaKey.protocolVersion}"] and _meta["${MetaKey.clientCapabilities}"]`,
    ],
  ])('gets an error that says how to introduce itself, if that helps: %s', (method, code, message) => {
    const rejection = expect.objectContaining({ code, message: expect.stringContaining(message) });
    expect(() => callerOf(request(method), undefined)).toThrow(rejection);
    expect(() => callerOf(request(method, { _meta: {} }), { revision: undefined })).toThrow(rejection);
  });

  it.each([
    ['capabilities', { [MetaKey.clientCapabilities]: {} }, [MetaKey.protocolVersion]],
    ['a name', { [MetaKey.clientInfo]: {} }, [MetaKey.protocolVersion, MetaKey.clientCapabilities]],
    ['a log level', { [MetaKey.logLevel]: 'info' }, [MetaKey.protocolVersion, MetaKey.clientCapabilities]],
    [
      'another key of the protocol',
      { 'io.modelcontextprotocol/x': 1 },
      [MetaKey.protocolVersion, MetaKey.clientCapabilities],
    ],
  ])(
    'that begins to introduce itself, with %s, gets an error that says what is missing (S-V-08)',
    (_, _meta, missing) => {
      const keys = missing.map((key) => `_meta["${key}"]`).join(' and ');
      for (const method of ['tools/list', 'ping', 'no/such', 'server/discover']) {
        for (const session of [undefined, { revision: undefined }]) {
          expect(() => callerOf(request(method, { _meta }), session)).toThrow(
            expect.objectContaining({
              code: ErrorCode.InvalidParams,
              message: `"${method}" lacks ${keys}: name both in each request, or send "initialize" first`,
            }),
          );
        }
      }
    },
  );

  it('that is a handshake rejects a header of a later version', () => {
    expect(() => readCaller(request('initialize'), { version: newest })).toThrow(
      expect.objectContaining({
        code: ErrorCode.HeaderMismatch,
        message: `Header mismatch: "initialize" belongs to ${handshakeVersions.at(-1)} and before, MCP-Protocol-Version to later`,
      }),
    );
  });
});

describe('revisions', () => {
  it('of the handshake era are found by their versions only', () => {
    for (const version of handshakeVersions) expect(handshakeRevision(version)?.version).toBe(version);
    expect(handshakeRevision(newest)).toBeUndefined();
  });

  it('send an event to resume from at the start of streams in 2025-11-25 only', () => {
    expect(revisions.filter(({ primesStreams }) => primesStreams).map(({ version }) => version)).toEqual([
      '2025-11-25',
    ]);
  });

  it('inherit this until a later revision changes it', () => {
    const changes = [{ mode: stateless }, {}, { primesStreams: true }, {}, { primesStreams: false }, {}];
    const folded = foldRevisions(changes.map((change, index) => ({ version: String(index), ...change })));
    expect(folded.map(({ primesStreams }) => primesStreams)).toEqual([false, false, true, true, false, false]);
  });

  it('that are stateless mark a list as complete, and have no log level by default', () => {
    const facts = { caches: true, serverMeta: {}, cache: { ttlMs: 5, scope: 'public' } } as const;
    expect(stateless.addEraFields({ tools: [] }, facts)).toMatchObject({ resultType: 'complete' });
    const sender = { version: newest, capabilities: {}, clientInfo: { name: 'c', version: '1' }, logLevel: undefined };
    expect(Object.keys(stateless.address({}, sender)?._meta ?? {})).not.toContain(MetaKey.logLevel);
  });
});

describe('a feature that an older client lacks', () => {
  const form = (properties: Record<string, WireSchema>): ElicitParams => ({
    mode: 'form',
    message: 'Which?',
    requestedSchema: { type: 'object', properties },
  });

  it('is rejected by name, with the capability that would be needed', () => {
    const rejection = (what: string, requiredCapabilities: object) =>
      expect.objectContaining({
        code: ErrorCode.MissingClientCapability,
        message: `This client does not support ${what}`,
        data: { requiredCapabilities },
      });
    const elicit = downgradesOf('2025-06-18')['elicitation/create'];
    expect(() => elicit?.({ mode: 'url', message: 'Go', url: 'https://example.com' })).toThrow(
      rejection('elicitation by URL', { elicitation: { url: {} } }),
    );
    expect(() => elicit?.(form({ colours: { type: 'array' } }))).toThrow(
      rejection('a choice of several values ("colours")', { elicitation: { form: {} } }),
    );
    const sampling = (content: object): SampleParams =>
      ({ messages: [{ role: 'user', content }], maxTokens: 1 }) as unknown as SampleParams;
    expect(() =>
      downgradesOf('2025-06-18')['sampling/createMessage']?.(
        sampling({ type: 'tool_use', id: '1', name: 'a', input: {} }),
      ),
    ).toThrow(rejection('tools in sampling', { sampling: { tools: {} } }));
    const withTools = { ...sampling({ type: 'text', text: '' }), tools: [] };
    expect(() => downgradesOf('2025-06-18')['sampling/createMessage']?.(withTools)).toThrow(
      rejection('tools in sampling', { sampling: { tools: {} } }),
    );
    expect(() =>
      downgradesOf('2024-11-05')['sampling/createMessage']?.(
        sampling({ type: 'audio', data: '', mimeType: 'audio/wav' }),
      ),
    ).toThrow(rejection('audio in sampling messages', { sampling: {} }));
  });

  it('is dropped if the rest can be expressed', () => {
    const downgraded = downgradesOf('2025-06-18')['elicitation/create']?.(
      form({ colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, true, { const: 'g' }] } }),
    );
    expect(downgraded).toEqual(form({ colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'g'] } }));
  });

  it('is the id of a URL elicitation, which a form does not have', () => {
    const elicit = downgradesOf('2025-11-25')['elicitation/create'];
    expect(elicit?.(form({}))).toStrictEqual(form({}));
    const page = { mode: 'url', message: 'Go', url: 'https://example.com' } as const;
    expect(elicit?.(page)).toEqual({ ...page, elicitationId: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(elicit?.({ ...page, elicitationId: 'mine' })).toEqual({ ...page, elicitationId: 'mine' });
  });
});

describe('tool schemas for an older client', () => {
  const list = downgradesOf('2025-11-25')['tools/list'];
  const downgradedTool = (inputSchema: WireSchema, outputSchema?: WireSchema) =>
    list?.({ tools: [{ name: 'a', inputSchema, ...(outputSchema !== undefined && { outputSchema }) }] }).tools[0];

  it('have objects instead of boolean properties', () => {
    expect(downgradedTool({ type: 'object', properties: { a: true, b: false } })).toStrictEqual({
      name: 'a',
      inputSchema: { type: 'object', properties: { a: {}, b: { not: {} } } },
    });
  });

  it('are wrapped without changing texts that look like references', () => {
    const output = { type: 'string', description: '#/x', title: '#', $defs: { a: { $ref: '#/$defs/b' }, b: {} } };
    expect(downgradedTool({ type: 'object' }, output)?.outputSchema).toStrictEqual({
      type: 'object',
      properties: {
        result: {
          type: 'string',
          description: '#/x',
          title: '#',
          $defs: { a: { $ref: '#/properties/result/$defs/b' }, b: {} },
        },
      },
      required: ['result'],
    });
  });
});
