/** Why no token could be had. */
export type AuthErrorCode =
  | 'unreachable'
  | 'unsafe_url'
  | 'invalid_answer'
  | 'resource_mismatch'
  | 'issuer_mismatch'
  | 'state_mismatch'
  | 'pkce_unsupported'
  | 'client_unknown'
  | 'untimely'
  | 'refused';

/** Says why no token could be had. Carries no token, code or secret, whatever a server answered. */
export class AuthError extends Error {
  override name = 'AuthError';
  readonly code: AuthErrorCode;
  /** The error code that the authorization server gave, such as `invalid_grant`. */
  readonly oauthError: string | undefined;

  constructor(
    code: AuthErrorCode,
    message: string,
    options: { oauthError?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.oauthError = options.oauthError;
  }
}

/** A text of a stranger, fit to be shown: one line, not long, plain characters only. */
export function sanitize(text: string): string {
  return text.slice(0, 200).replaceAll(/[^\x20-\x7e]/g, '?');
}
