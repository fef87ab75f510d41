import { describe, expect, it } from 'vitest';
import { handshakeRevision } from '../../../../revisions/history.ts';
import { Session } from '../../../../server/session.ts';
import { changesIn, fromFields, toFields } from './session-record.ts';

describe('the record of a session', () => {
  it('has known fields only', () => {
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

  it('may be empty', () => {
    expect(fromFields({})).toEqual(new Session());
  });

  it('has log messages of the handshake until they are sent', () => {
    const session = new Session();
    session.early = [{ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'welcome' } }];
    const fields = toFields(session);
    const received: unknown[] = [];
    const kept = fromFields(fields, (message) => void received.push(message));
    expect(changesIn(kept, fields)).toEqual({});
    kept.sendEarly();
    expect(received).toMatchObject([{ params: { data: 'welcome' } }]);
    expect(changesIn(kept, fields)).toEqual({ early: '' });
    expect(fromFields({ ...fields, early: '' }).early).toBeUndefined();
  });

  it('has only changed fields in an update', () => {
    const before = { version: '2025-06-18', capabilities: '{}', logLevel: 'error', principal: 'anna' };
    const session = fromFields(before);
    expect(changesIn(session, before)).toEqual({});
    session.logLevel = 'debug';
    session.initialized = true;
    expect(changesIn(session, before)).toEqual({ logLevel: 'debug', initialized: 'yes' });
  });
});
