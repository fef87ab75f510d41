/** A request about to be sent. */
export interface AuthorizedRequest {
  readonly url: string;
  readonly method?: string;
}

/** What a refused request says about the credentials it wants. */
export interface Unauthorized {
  /** 401 or 403. */
  readonly status: number;
  readonly wwwAuthenticate: string | undefined;
  readonly url: string;
  /** What the next proof of possession must contain. */
  readonly dpopNonce?: string | undefined;
  /** The headers that the refused request got from `headers`. */
  readonly sent?: Readonly<Record<string, string>> | undefined;
}

/** How an HTTP client proves who it is: headers for every request, and a way to react to a refusal. */
export interface HttpAuth {
  headers(request: AuthorizedRequest): Promise<Record<string, string>>;
  /** True: there are new credentials, try again. */
  unauthorized(response: Unauthorized): Promise<boolean>;
}
