import { describe, expect, it } from 'vitest';
import { handshakeRevision } from '../../../../revisions/history.ts';
import { Session } from '../../../../server/session.ts';
import { changesIn, fromFields, toFields } from './session-record.ts';

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

  it('holds what was logged during the handshake until it is told', () => {
    const session = new Session();
    session.early.push({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'welcome' } });
    const fields = toFields(session);
    const heard: unknown[] = [];
    const kept = fromFields(fields, (message) => void heard.push(message));
    expect(changesIn(kept, fields)).toEqual({});
    kept.tellEarly();
    expect(heard).toMatchObject([{ params: { data: 'welcome' } }]);
    expect(changesIn(kept, fields)).toEqual({ early: '' });
    expect(fromFields({ ...fields, early: '' }).early).toEqual([]);
  });

  it('is changed only where the session was', () => {
    const before = { version: '2025-06-18', capabilities: '{}', logLevel: 'error', principal: 'anna' };
    const session = fromFields(before);
    expect(changesIn(session, before)).toEqual({});
    session.logLevel = 'debug';
    session.initialized = true;
    expect(changesIn(session, before)).toEqual({ logLevel: 'debug', initialized: 'yes' });
  });
});
