import { toBase64Url } from '../../runtime/base64.ts';
import type { ContentBlock } from '../../protocol/content.ts';
import type { Operation } from '../../server/call/operation.ts';
import { sessionDigest } from '../../server/call/session-digest.ts';
import type { Requirement } from '../../server/define/access-rule.ts';
import type { Life, Store } from '../../stores/store.ts';

/** The tool that reads what a budget left out. */
export const readMoreName = 'read_more';

/** A page of a result, or a binary part of it. */
export type KeptPage =
  | { readonly content: readonly ContentBlock[]; readonly label: string; readonly isLast: boolean }
  | { readonly blob: string; readonly mimeType: string };

/** How long pages are kept, and how many: sizes are in characters. */
export interface KeepLimits {
  readonly keepMs: number;
  readonly keptPerCaller: number;
  readonly keptInAll: number;
}

/** Whose result it is. An anonymous caller without a session is identified by the cursor alone, which can't be guessed. */
export interface PageOwner {
  readonly name: string;
  readonly scopes: Requirement | undefined;
}

/** The most pages that are kept, in all. */
const maxPages = 100_000;

const cursorForm = /^[\w-]{22}\.\d{1,6}$/;

/** A new id of the pages of a result. */
export function createResultId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}

/** The cursor of a page. */
export function cursorOf(id: string, page: number): string {
  return `${id}.${page}`;
}

/** The cursor of the page after one. */
export function nextCursor(cursor: string): string {
  const [id = '', page = ''] = cursor.split('.');
  return cursorOf(id, Number(page) + 1);
}

/** The owner of what is kept for a caller: who they are, or else their session. */
export async function ownerOf({ auth, sessionKey }: Pick<Operation, 'auth' | 'sessionKey'>): Promise<string> {
  if (auth?.principal !== undefined) return `caller ${auth.principal}`;
  const session = await sessionDigest({ sessionKey });
  return session === undefined ? '' : `session ${session}`;
}

/** Keeps a page. False if there is no room for it. */
export async function keepPage(
  operation: Operation,
  { cursor, page, owner, limits }: { cursor: string; page: KeptPage; owner: PageOwner; limits: KeepLimits },
): Promise<boolean> {
  const fields = { owner: owner.name, scopes: JSON.stringify(owner.scopes ?? []), page: JSON.stringify(page) };
  const life: Life = {
    ...lifeOf(limits),
    owner: owner.name || operation.countedAs || 'anonymous',
    room: { length: limits.keptInAll, ownerLength: limits.keptPerCaller, evictOwn: true },
  };
  const store: Store = await operation.shared();
  return (await store.create(keyOf(operation, cursor), fields, life)) !== 'full';
}

/** The page of a cursor; undefined if there is none, or not for this caller. */
export async function readPage(
  operation: Operation,
  cursor: unknown,
  limits: KeepLimits,
): Promise<KeptPage | undefined> {
  if (typeof cursor !== 'string' || !cursorForm.test(cursor)) return undefined;
  const store: Store = await operation.shared();
  const record = await store.read(keyOf(operation, cursor), lifeOf(limits));
  if (record?.page === undefined) return undefined;
  if (record.owner !== '' && record.owner !== (await ownerOf(operation))) return undefined;
  const scopes = JSON.parse(record.scopes ?? '[]') as Requirement;
  return operation.has(scopes) ? (JSON.parse(record.page) as KeptPage) : undefined;
}

function lifeOf({ keepMs }: KeepLimits): Life {
  return { ttlMs: keepMs, kind: 'result', limit: maxPages };
}

function keyOf({ host }: Operation, cursor: string): string {
  return `result/${host.info.name}/${cursor}`;
}
