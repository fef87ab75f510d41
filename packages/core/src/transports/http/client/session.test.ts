import { describe, expect, it } from 'vitest';
import { HttpSession } from './endpoint.ts';

describe('the session of an HTTP client', () => {
  it('sends the id and version that the server set', () => {
    const session = new HttpSession();
    expect([session.id, session.headers]).toEqual([undefined, {}]);
    session.begin('s1', '2025-11-25');
    expect(session.headers).toEqual({ 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-11-25' });
    session.begin(undefined, '2025-11-25');
    expect(session.headers).toEqual({ 'mcp-protocol-version': '2025-11-25' });
    session.begin('s2', 7);
    expect([session.id, session.headers]).toEqual(['s2', { 'mcp-session-id': 's2' }]);
  });

  it('ends once, and only for its own id', () => {
    const session = new HttpSession();
    expect(session.end(undefined)).toBe(false);
    session.begin('s2', '2025-11-25');
    expect(session.end('s1')).toBe(false);
    expect(session.end(undefined)).toBe(false);
    expect(session.id).toBe('s2');
    expect(session.end('s2')).toBe(true);
    expect(session.end('s2')).toBe(false);
    expect([session.id, session.headers]).toEqual([undefined, {}]);
  });
});
