import { escapeUnseen } from '../../../jsonrpc/text.ts';
import { fromBase64 } from '../../../runtime/base64.ts';

/** Created lazily, because expressions with \p compile slowly. */
let expressions: ReturnType<typeof createExpressions> | undefined;

function createExpressions(): Record<'suspect' | 'rightToLeft' | 'joined', RegExp> {
  return {
    suspect:
      /(?![\t\n\r])\p{Cc}|\u034F|\u17B4|\u17B5|[\u180B-\u180D]|[\uFE00-\uFE0F]|[\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu,
    rightToLeft: /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u,
    // Scripts and emoji that need joiners and selectors.
    joined:
      /[\p{Extended_Pictographic}\p{Emoji_Component}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Khmer}\p{Script=Mongolian}\p{Script=Han}\p{Math}\p{So}]/u,
  };
}

/** A part of a text that people don't see. */
export interface HiddenPart {
  readonly at: number;
  readonly text: string;
}

/** The first character that is invisible or changes the order of others, without need. */
export function findHiddenCharacter(text: string): HiddenPart | undefined {
  if (/^[\n\r\t -~]*$/.test(text)) return undefined;
  expressions ??= createExpressions();
  const { suspect, rightToLeft, joined } = expressions;
  for (const match of text.matchAll(suspect)) {
    const code = match[0].codePointAt(0) ?? 0;
    const before = previousCharacter(text, match.index);
    const isMark = code === 0x200e || code === 0x200f || code === 0x061c;
    if (isMark && rightToLeft.test(text)) continue;
    const isJoiner = code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f);
    if (isJoiner && joined.test(before) && !/[A-Za-z]/.test(before)) continue;
    // The flags of regions end with tags.
    if (code >= 0xe0020 && code <= 0xe007f && isInFlag(text, match.index)) continue;
    return { at: match.index, text: `the text has a hidden character, ${nameOf(code)}` };
  }
  return undefined;
}

function previousCharacter(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? text.slice(at - 2, at) : text.slice(Math.max(0, at - 1), at);
}

function isInFlag(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - 14), at);
  const flag = near.lastIndexOf('\u{1F3F4}');
  return flag >= 0 && /^(?:[\u{E0020}-\u{E007F}])*$/u.test(near.slice(flag + 2));
}

function nameOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Comments, white space and styles that hide a part of a text. */
export function findHiddenText(text: string): HiddenPart | undefined {
  for (const [pattern, reason] of hidingPatterns) {
    const match = pattern.exec(text);
    if (match !== null) return { at: match.index, text: reason };
  }
  return undefined;
}

const hidingPatterns: readonly [RegExp, string][] = [
  [
    /<!--[^>]{0,40}[A-Za-z]{2,30}[ \n][^>]{0,200}?[A-Za-z]{2,30}[ \n][A-Za-z]/,
    'the text has a comment that is not displayed',
  ],
  [
    /\[(?:\/\/|comment|_+|hidden)\]:\s{0,3}(?:#|<>)\s{0,3}[("']?[^\n]{8}/i,
    'the text has a comment that is not displayed',
  ],
  [
    /(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|font-size\s{0,3}:\s{0,3}0(?:px|pt|em)?[;"' ]|opacity\s{0,3}:\s{0,3}0[;"' ]|color\s{0,3}:\s{0,3}(?:white|transparent|#fff))[^>\n]{0,80}>/i,
    'the text has a part that is not displayed',
  ],
  [/[^\s](?:[ \t\u00a0\u2000-\u200a\u3000]{60})[ \t]{0,1000}\S/, 'the text goes on after long white space'],
  [/\S(?:[ \t]{0,20}\r?\n){10}\s{0,1000}\S/, 'the text goes on after many empty lines'],
  [
    /!\[[^\]\n]{0,100}\]\(https?:\/\/[^)\s]{0,300}[{=<][^)\s]{0,100}\)/,
    'the text has an image whose address can carry data',
  ],
];

/** What a text says in another encoding. */
export interface DecodedPart extends HiddenPart {
  readonly decoded: string;
}

/** Parts of a text that are readable only after decoding. */
export function decodeParts(text: string): DecodedPart[] {
  const parts: DecodedPart[] = [];
  const add = (at: number, how: string, decoded: string | undefined): void => {
    if (decoded !== undefined && isReadable(decoded)) parts.push({ at, text: how, decoded });
  };
  for (const match of text.matchAll(/[A-Za-z0-9+/_-]{24,20000}={0,2}/g)) {
    const [found] = match;
    if (/^[0-9a-fA-F]+$/.test(found)) add(match.index, 'a part of the text is encoded in hex', fromHex(found));
    else if (!found.startsWith('eyJ')) add(match.index, 'a part of the text is encoded in base64', decodeBase64(found));
  }
  for (const match of text.matchAll(/(?:[0-9a-fA-F]{2}[ ,:]){10,2000}[0-9a-fA-F]{2}/g))
    add(match.index, 'a part of the text is encoded in hex', fromHex(match[0].replace(/[ ,:]/g, '')));
  for (const [pattern, radix] of [
    [/(?:%[0-9a-fA-F]{2}){8,2000}/g, 16],
    [/(?:\\u00[0-9a-fA-F]{2}){8,2000}/g, 16],
    [/(?:\\x[0-9a-fA-F]{2}){8,2000}/g, 16],
    [/(?:&#x[0-9a-fA-F]{2};){8,2000}/g, 16],
    [/(?:&#\d{2,3};){8,2000}/g, 10],
  ] as const) {
    for (const match of text.matchAll(pattern)) {
      const codes = match[0].match(radix === 10 ? /\d+/g : /[0-9a-fA-F]{2}(?![0-9a-fA-F])/g) ?? [];
      add(
        match.index,
        'a part of the text is escaped',
        String.fromCharCode(...codes.map((code) => Number.parseInt(code, radix))),
      );
    }
  }
  return parts;
}

function fromHex(text: string): string | undefined {
  if (text.length % 2 === 1) return undefined;
  return (text.match(/../g) ?? []).map((code) => String.fromCharCode(Number.parseInt(code, 16))).join('');
}

function decodeBase64(text: string): string | undefined {
  const bytes = fromBase64(text);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

/** True for words, and not for the bytes of a picture or a digest. */
function isReadable(text: string): boolean {
  return (
    text.length >= 8 && /^[\n\r\t -~]*$/.test(text) && /[A-Za-z]{3}/.test(text) && /[a-z ][ ./:~_]|[a-z]{5}/.test(text)
  );
}

/** A short part of a text, escaped. */
export function excerptOf(text: string, start: number, end = start): string {
  const from = Math.max(0, start - 40);
  const to = Math.min(text.length, Math.max(end + 20, start + 80), start + 160);
  return `${from > 0 ? '…' : ''}${escapeUnseen(text.slice(from, to)).replace(/\s{2,}/g, ' ')}${to < text.length ? '…' : ''}`;
}
