import { createHmac, randomBytes } from 'node:crypto';
import type { PendingAuthorization } from '@ccmcp/core/client';

/** A pending sign-in of a caller: plain data, some of it secret. */
export interface SignInRecord {
  /** The display name of the caller. */
  readonly caller: string;
  readonly principal: string;
  readonly upstream: { readonly name: string; readonly url: string };
  /** The page of the authorization server. */
  readonly authorizationUrl: string;
  /** What another instance needs to complete it. */
  readonly authorization?: PendingAuthorization;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  /** The secrets of the browser that opened the page: only this browser can continue. */
  readonly browser?: { readonly cookie: string; readonly confirmation: string };
}

/** The pending sign-ins whose pages can be shown. */
export interface SignInRecords {
  /** The id of the sign-in with this state; neither can be told from the other. */
  idOf(state: string): string;
  create(id: string, record: SignInRecord): void | Promise<void>;
  get(id: string, lifetimeMs: number): SignInRecord | undefined | Promise<SignInRecord | undefined>;
  /** Replaces a record; false if it is gone. */
  update(id: string, record: SignInRecord): boolean | Promise<boolean>;
  /** Removes a record; false if it is gone, so that one of several callers succeeds. */
  remove(id: string): boolean | Promise<boolean>;
}

/** Keeps sign-ins in this process. Whoever creates a record removes it in time. */
export function memorySignIns(): SignInRecords {
  const byId = new Map<string, SignInRecord>();
  const key = randomBytes(32);
  return {
    idOf: (state) => createHmac('sha256', key).update(state).digest('base64url'),
    create: (id, record) => void byId.set(id, record),
    get: (id) => byId.get(id),
    update: (id, record) => byId.has(id) && byId.set(id, record) !== undefined,
    remove: (id) => byId.delete(id),
  };
}
