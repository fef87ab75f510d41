import { describe, expect, it } from 'vitest';
import { MetaKey } from '../protocol/meta.ts';
import { revisions } from './history.ts';
import type { Revision } from './revision.ts';
import { readSender, stateless } from './stateless.ts';

const serverMeta = { [MetaKey.serverInfo]: { name: 's', version: '1' } };
const facts = { caches: false, serverMeta, cache: { ttlMs: 5, scope: 'public' } } as const;
const revision = revisions.at(-1) as Revision;

describe('a result of the stateless era', () => {
  it('is marked as complete, and names its server (S-B-06, S-B-07)', () => {
    expect(stateless.addEraFields({ content: [] }, facts)).toEqual({
      content: [],
      resultType: 'complete',
      _meta: serverMeta,
    });
  });

  it('keeps its metadata and type', () => {
    const result = { resultType: 'input_required', requestState: 'x', _meta: { 'com.example/a': 1 } };
    expect(stateless.addEraFields(result, facts)).toEqual({
      resultType: 'input_required',
      requestState: 'x',
      _meta: { 'com.example/a': 1, ...serverMeta },
    });
  });

  it('has cache hints if its method has (S-CA-01)', () => {
    const kept = { ...facts, caches: true };
    expect(stateless.addEraFields({}, kept)).toMatchObject({ ttlMs: 5, cacheScope: 'public' });
    expect(stateless.addEraFields({ resultType: 'input_required' }, kept)).not.toHaveProperty('ttlMs');
    expect(Object.keys(stateless.addEraFields({}, facts))).toEqual(['resultType', '_meta']);
  });

  it('is a new object: the return value of the handler is not changed', () => {
    const result = { content: [], _meta: {} };
    stateless.addEraFields(result, facts);
    expect(result).toEqual({ content: [], _meta: {} });
  });
});

describe('the identity of a caller', () => {
  const proper = { [MetaKey.clientCapabilities]: {} };

  it.each([
    ['no capabilities', {}],
    ['capabilities that are null', { [MetaKey.clientCapabilities]: null }],
    ['capabilities that are a list', { [MetaKey.clientCapabilities]: [] }],
    ['a name that is a text', { ...proper, [MetaKey.clientInfo]: 'me' }],
    ['a name that is null', { ...proper, [MetaKey.clientInfo]: null }],
    ['a log level that does not exist', { ...proper, [MetaKey.logLevel]: 'loud' }],
    ['a log level that is a number', { ...proper, [MetaKey.logLevel]: 3 }],
  ])('with %s is rejected (S-V-08, S-L-05)', (_, meta) => {
    expect(() => readSender(revision, meta)).toThrow(expect.objectContaining({ code: -32602 }));
  });

  it('keeps unknown capabilities', () => {
    const capabilities = { roots: { listChanged: true }, magic: { wand: 1 } };
    expect(readSender(revision, { [MetaKey.clientCapabilities]: capabilities }).capabilities).toEqual(capabilities);
  });
});
