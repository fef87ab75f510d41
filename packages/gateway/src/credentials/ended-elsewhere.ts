/** The reason why a sign-in ends here: it has succeeded or failed at another instance. */
export class EndedElsewhere extends Error {
  readonly isSignedIn: boolean;

  constructor(failure?: string) {
    super(failure ?? 'The caller has signed in at another instance');
    this.isSignedIn = failure === undefined;
  }
}
