import type { LogLevel } from '../../../../protocol/logging.ts';
import { handshakeRevision } from '../../../../revisions/history.ts';
import { Session } from '../../../../server/session.ts';
import type { Fields } from '../../../../stores/store.ts';

/** Encodes a session as fields, without its subscriptions: they may be many, and are rarely needed. */
export function toFields(session: Session): Fields {
  const fields: Record<string, string> = {
    version: session.revision?.version ?? '',
    capabilities: JSON.stringify(session.capabilities),
  };
  if (session.clientInfo !== undefined) fields.clientInfo = JSON.stringify(session.clientInfo);
  if (session.logLevel !== undefined) fields.logLevel = session.logLevel;
  if (session.early !== undefined) fields.early = JSON.stringify(session.early);
  if (session.initialized) fields.initialized = 'yes';
  return fields;
}

/** Decodes a session. `send` delivers messages that belong to no request. */
export function fromFields(fields: Fields, send?: Session['notify']): Session {
  const session = new Session(send);
  session.revision = handshakeRevision(fields.version ?? '');
  session.capabilities = JSON.parse(fields.capabilities ?? '{}');
  session.clientInfo = fields.clientInfo === undefined ? undefined : JSON.parse(fields.clientInfo);
  session.principal = fields.principal;
  session.logLevel = fields.logLevel as LogLevel | undefined;
  session.early = fields.early ? JSON.parse(fields.early) : undefined;
  session.initialized = fields.initialized !== undefined;
  return session;
}

/** The length of all fields, in characters. */
export function recordLength(fields: Fields): number {
  let length = 0;
  for (const name in fields) length += (fields[name] as string).length;
  return length;
}

/** The fields that changed since the session was read, without those that others may have changed meanwhile. */
export function changesIn(session: Session, before: Fields): Record<string, string> {
  const changed = Object.entries(toFields(session)).filter(([name, value]) => before[name] !== value);
  // Sent meanwhile: cleared, so that no other instance sends it again.
  if (before.early && session.early === undefined) changed.push(['early', '']);
  return Object.fromEntries(changed);
}
