/** Why no token could be obtained. */
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

/** Thrown if no token could be obtained. Never contains a token, code or secret. */
export class AuthError extends Error {
  override name = 'AuthError';
  readonly code: AuthErrorCode;
  /** The error code of the authorization server, such as `invalid_grant`. */
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

/** Sanitizes an untrusted text for display: printable ASCII, at most 200 characters. */
export function sanitize(text: string): string {
  return text.slice(0, 200).replaceAll(/[^\x20-\x7e]/g, '?');
}
