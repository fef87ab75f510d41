import { explainError } from './explain-error.ts';

/** Texts of a report, for the audience at hand. */
export interface ProbeTexts {
  /** A server rejected the credentials. `sent`: the rejected headers. */
  explainRejection(
    rejection: { status: number; challenge?: string | undefined; said?: string | undefined },
    sent: Record<string, string>,
  ): { message: string; advice: string };
  /** A client of a URL or command failed. */
  explainFailure(error: unknown, kind: 'url' | 'command'): { message: string; advice: string };
  /** The end of stderr. */
  stderrTail(stderr: string): string;
  /** How to sign in, if everything works. */
  signIn(url: URL): string;
  /** The hint for an expired login. */
  login(url: URL): string;
}

/** Texts for users of the inspector page. */
export const pageTexts: ProbeTexts = {
  explainRejection({ status, challenge = '' }, sent) {
    const names = Object.keys(sent).filter((name) => /auth|key|token|secret|cookie/i.test(name));
    const what = names.length === 0 ? 'wants credentials' : `rejects the ${names.join(' and ')} that it was sent`;
    const why = challenge === '' ? '' : `. WWW-Authenticate: ${challenge.slice(0, 300)}`;
    return status === 403
      ? {
          message: `The server rejects the caller (403)${why}`,
          advice:
            'It knows the caller, or rejects this host name or origin. Sign in with more scopes, or check its access rules.',
        }
      : {
          message: `The server ${what} (${status})${why}`,
          advice: 'Sign in, or give the header that it wants under "Other connection settings".',
        };
  },
  explainFailure(error, kind) {
    const { message, advice } = explainError(error, kind);
    return { message, advice: /diagnose/i.test(advice) ? 'Look at the raw exchanges.' : advice };
  },
  stderrTail: (stderr) => stderr.trim().split('\n').slice(-5).join('\n'),
  signIn: () => 'Sign in, or give a token in the header Authorization under "Other connection settings".',
  login: () => 'Sign in again.',
};
