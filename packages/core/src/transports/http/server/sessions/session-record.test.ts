import { describe, expect, it } from 'vitest';
import { handshakeRevision } from '../../../../revisions/history.ts';
import { Session } from '../../../../server/session.ts';
import { changesIn, fromFields, toFields, without } from './session-record.ts';

describe('the record of a session', () => {
  it('holds only what is known', () => {
    expect(toFields(new Session())).toStrictEqual({ version: '', capabilities: '{}' });
    const session = new Session();
    session.revision = handshakeRevision('2025-06-18');
    session.clientInfo = { name: 'c', version: '1' };
    session.logLevel = 'error';
    session.initialized = true;
    expect(toFields(session)).toStrictEqual({
      version: '2025-06-18',
      capabilities: '{}',
      clientInfo: '{"name":"c","version":"1"}',
      logLevel: 'error',
      initialized: 'yes',
    });
  });

  it('may hold nothing', () => {
    expect(fromFields({})).toEqual(new Session());
  });

  it('is changed only where the session was', () => {
    const before = { version: '2025-06-18', capabilities: '{}', logLevel: 'error', principal: 'anna' };
    const session = fromFields(before);
    expect(changesIn(session, before)).toEqual({});
    session.logLevel = 'debug';
    session.initialized = true;
    expect(changesIn(session, before)).toEqual({ logLevel: 'debug', initialized: 'yes' });
  });

  it('has members of its own', () => {
    expect(without(new Set(['a', 'b', 'c']), new Set(['b', 'd']))).toEqual(['a', 'c']);
  });
});
