import { explainError } from '../server/connections/explain-error.ts';

/** Texts of a report, for the audience at hand. */
export interface ProbeWords {
  /** A server rejected the credentials. `sent`: the rejected headers. */
  refused(
    refusal: { status: number; challenge?: string | undefined; said?: string | undefined },
    sent: Record<string, string>,
  ): { message: string; advice: string };
  /** A client of a URL or command failed. */
  failed(error: unknown, kind: 'url' | 'command'): { message: string; advice: string };
  /** The end of stderr. */
  lastWords(stderr: string): string;
  /** How to sign in, if everything works. */
  signIn(url: URL): string;
  /** What to do about an expired login. */
  login(url: URL): string;
}

/** Texts for users of the inspector page. */
export const pageWords: ProbeWords = {
  refused({ status, challenge = '' }, sent) {
    const names = Object.keys(sent).filter((name) => /auth|key|token|secret|cookie/i.test(name));
    const what = names.length === 0 ? 'wants credentials' : `refuses the ${names.join(' and ')} that it was sent`;
    const why = challenge === '' ? '' : `. WWW-Authenticate: ${challenge.slice(0, 300)}`;
    return status === 403
      ? {
          message: `The server refuses the caller (403)${why}`,
          advice:
            'It knows the caller, or refuses this host name or origin. Sign in with more scopes, or check its access rules.',
        }
      : {
          message: `The server ${what} (${status})${why}`,
          advice: 'Sign in, or give the header that it wants under "Other connection settings".',
        };
  },
  failed(error, kind) {
    const { says, advice } = explainError(error, kind);
    return { message: says, advice: /diagnose/i.test(advice) ? 'Look at the raw exchanges.' : advice };
  },
  lastWords: (stderr) => stderr.trim().split('\n').slice(-5).join('\n'),
  signIn: () => 'Sign in, or give a token in the header Authorization under "Other connection settings".',
  login: () => 'Sign in again.',
};
