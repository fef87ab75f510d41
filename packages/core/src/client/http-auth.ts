/** A request about to be sent. */
export interface AuthorizedRequest {
  readonly url: string;
  /** Default: POST. */
  readonly method?: string;
}

/** An answer that refuses a request for want of credentials, or of better ones. */
export interface RefusedRequest {
  /** 401 or 403; nothing can be done about others. */
  readonly status: number;
  readonly wwwAuthenticate: string | undefined;
  readonly url: string;
  /** The answer's `DPoP-Nonce` header: what the next proof must contain. */
  readonly dpopNonce?: string | undefined;
  /** The address that answered, if it is known: who is in a private network may name others there. */
  readonly address?: string | undefined;
  /** The headers that the refused request was given: tells whether others have replaced them in the meantime. */
  readonly sent?: Readonly<Record<string, string>> | undefined;
}

/** What gets an HTTP client past a server that wants tokens. */
export interface HttpAuth {
  /** Headers that the request must carry; made anew for every request. */
  headers(request: AuthorizedRequest): Promise<Record<string, string>>;
  /** Told of a refusal. True: there are other credentials now, send the request again. False: the refusal stands. */
  unauthorized(response: RefusedRequest): Promise<boolean>;
}
