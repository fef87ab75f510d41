const mebi = 1024 * 1024;

/** The limits that are options of `openApi`, with their defaults. */
export const defaultLimits = {
  /** A request, its retries included. */
  timeoutMs: 60_000,
  /** How often an idempotent request is sent again. */
  retries: 2,
  /** A response, in bytes. */
  maxResponse: 8 * mebi,
  /** A document with those that it refers to, in bytes. */
  maxDocument: 32 * mebi,
} as const;
