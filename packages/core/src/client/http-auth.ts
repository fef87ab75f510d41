/** A request about to be sent. */
export interface AuthorizedRequest {
  readonly url: string;
  /** Default: POST. */
  readonly method?: string;
}

/** A response that rejects the credentials of a request, or asks for some. */
export interface RejectedRequest {
  /** 401 or 403; other statuses are not retried. */
  readonly status: number;
  readonly wwwAuthenticate: string | undefined;
  readonly url: string;
  /** The `DPoP-Nonce` header, which the next proof must contain. */
  readonly dpopNonce?: string | undefined;
  /** The remote address, if known: servers in a private network may name others there. */
  readonly address?: string | undefined;
  /** The credential headers of the rejected request: shows whether they were renewed meanwhile. */
  readonly sent?: Readonly<Record<string, string>> | undefined;
}

/** Provides credentials for an HTTP client. */
export interface HttpAuth {
  /** Headers for a request; called for every request. */
  headers(request: AuthorizedRequest): Promise<Record<string, string>>;
  /** Handles a rejection. True: credentials were renewed, retry the request. False: give up. */
  unauthorized(response: RejectedRequest): Promise<boolean>;
}
