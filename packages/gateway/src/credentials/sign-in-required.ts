/** The error of a request whose caller has to sign in with a browser. */
export class SignInRequired extends Error {
  override name = 'SignInRequired';
  /** The page of the gateway where the caller signs in. */
  readonly url: string;
  /** The id of the sign-in, as long as it is pending. */
  readonly id: string;
  /** Resolves when the caller has signed in; rejects if they refused, or timed out. */
  readonly done: Promise<void>;

  constructor({ message, url, id, done }: { message: string; url: string; id: string; done: Promise<void> }) {
    super(message);
    this.url = url;
    this.id = id;
    this.done = done;
  }
}

/** The sign-in of an error, also of a wrapped one. */
export function findSignIn(error: unknown): SignInRequired | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    if (each instanceof SignInRequired) return each;
  }
  return undefined;
}
