/** `permanent`: until a setting changes. `unavailable`: temporary. Other errors concern one operation. */
export type FailureKind = 'permanent' | 'unavailable' | 'operation';

/** A failure of PostgreSQL in words. */
export class PostgresStoreError extends Error {
  readonly kind: FailureKind;

  constructor(message: string, kind: FailureKind, cause: unknown) {
    super(message, { cause });
    this.name = 'PostgresStoreError';
    this.kind = kind;
  }
}

/** By error code of the server; none of them goes away by waiting. */
const permanent: ReadonlyMap<unknown, string> = new Map([
  ['25006', 'is read-only: name the primary'],
  ['28000', 'rejects the user: write USER:PASSWORD@ into the URL'],
  ['28P01', 'rejects the password: write USER:PASSWORD@ into the URL'],
  ['3D000', 'does not have this database: create it, or name another in the URL'],
  ['42501', 'does not let the user do this: it needs the right to create tables in its schema'],
]);

const unavailableCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  '53300',
  '57014',
  '57P01',
  '57P02',
  '57P03',
]);

/** Connection errors of the driver without a code. */
const connectionErrors =
  /timeout|connection terminated|not queryable|connection error|socket hang up|after calling end/i;

/** Explains an error of PostgreSQL at an address. */
export function explainError(error: unknown, where: string): PostgresStoreError {
  if (error instanceof PostgresStoreError) return error;
  const { code, message } = error as { code?: unknown; message?: string };
  const known = permanent.get(code);
  if (known !== undefined) return new PostgresStoreError(`PostgreSQL at ${where} ${known}`, 'permanent', error);
  if (unavailableCodes.has(code) || connectionErrors.test(message ?? '')) {
    return new PostgresStoreError(`PostgreSQL at ${where} can't be reached`, 'unavailable', error);
  }
  return new PostgresStoreError(`PostgreSQL at ${where} failed: ${message}`, 'operation', error);
}
