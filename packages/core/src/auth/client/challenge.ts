/** A parsed `WWW-Authenticate` challenge. */
export interface Challenge {
  /** The offered schemes, in lower case. */
  readonly schemes: ReadonlySet<string>;
  readonly resourceMetadata: string | undefined;
  readonly scope: string | undefined;
  readonly error: string | undefined;
}

const maxLength = 8192;
const gap = /[\s,]+/y;
const parameter = /([!#$%&'*+.^_`|~\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+))/y;
const scheme = /([!#$%&'*+.^_`|~\w-]+)(?=[\s,]|$)/y;
const rest = /[^\s,]+/y;

/** Parses a `WWW-Authenticate` header. Uses the parameters of Bearer and DPoP challenges. */
export function readChallenge(header: string | undefined): Challenge {
  const text = (header ?? '').slice(0, maxLength);
  const schemes = new Set<string>();
  const found = new Map<string, string>();
  let current = '';
  let position = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match !== null) position = pattern.lastIndex;
    return match;
  };
  while (position < text.length) {
    if (next(gap) !== null) continue;
    const pair = next(parameter);
    if (pair !== null) {
      const [, name = '', quoted, plain = ''] = pair;
      const key = name.toLowerCase();
      if ((current === 'bearer' || current === 'dpop') && !found.has(key)) {
        found.set(key, quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1'));
      }
      continue;
    }
    const name = next(scheme)?.[1];
    if (name === undefined) next(rest);
    else schemes.add((current = name.toLowerCase()));
  }
  return {
    schemes,
    resourceMetadata: found.get('resource_metadata'),
    scope: found.get('scope'),
    error: found.get('error'),
  };
}
