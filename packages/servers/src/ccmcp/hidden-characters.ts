let hidden: RegExp | undefined;

/**
 * Characters that a person doesn't see, or that change how the rest is shown: controls (terminal escapes among them),
 * changes of direction, tags, fillers, line separators, and what means something else everywhere. Joiners and variation
 * selectors belong to scripts and emoji, and count only where they follow nothing visible.
 */
function pattern(): RegExp {
  // Made here, when it is needed: an expression with \p takes time, and the server must start.
  const visible = String.raw`[\p{L}\p{M}\p{Emoji}]--\p{DI}`;
  const never = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800]--[\n\r\t\u200c\u200d\ufe0e\ufe0f]`;
  return new RegExp(`[${never}]|(?<![${visible}])[\\u200c\\ufe0e\\ufe0f]|(?<![[${visible}]\\ufe0f])\\u200d`, 'v');
}

/** The first character of a text that a person would not see, and where it stands. */
export function findHidden(text: string): { character: string; position: number } | undefined {
  hidden ??= pattern();
  const found = hidden.exec(text);
  if (found === null) return undefined;
  const point = (found[0].codePointAt(0) as number).toString(16).toUpperCase();
  return { character: `U+${point.padStart(4, '0')}`, position: found.index };
}
