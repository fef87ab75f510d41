/** The request needs credentials that its caller does not have yet: they sign in with a browser. */
export class SignInRequired extends Error {
  override name = 'SignInRequired';
  /** The page of the gateway where the caller signs in. */
  readonly url: string;
  /** Names the sign-in; the same as long as it is under way. */
  readonly id: string;
  /** Resolves when the caller has signed in; rejects when they refused, or did not in time. */
  readonly done: Promise<void>;

  constructor({ message, url, id, done }: { message: string; url: string; id: string; done: Promise<void> }) {
    super(message);
    this.url = url;
    this.id = id;
    this.done = done;
  }
}

/** The sign-in that an error is about, also where another error wraps it. */
export function findSignIn(error: unknown): SignInRequired | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    if (each instanceof SignInRequired) return each;
  }
  return undefined;
}
