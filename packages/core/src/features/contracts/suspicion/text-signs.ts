import { type Text } from './definition-texts.ts';
import { decodeParts, excerptOf, findHiddenCharacter, findHiddenText } from './hidden-text.ts';
import { normalizeText } from './normalize-text.ts';
import { findPhrase, isNegated, type Phrase, PhraseIndex, type PhraseMatch, type Token, tokenize } from './phrases.ts';
import {
  collectors,
  cues,
  dangerousTool,
  foreignPhrases,
  passing,
  phraseSignals,
  privateData,
  promptWords,
  scannerWords,
  sensitivePaths,
} from './signals.ts';
import type { Definition, Sign, SuspicionContext } from './suspicion.ts';

/** What is known of the whole definition. */
export interface Subject {
  isTool(word: string): boolean;
  /** It is about attacks, so that it may mention their words. */
  readonly isScanner: boolean;
  /** Its name and first sentence. */
  readonly topic: string;
  /** It has a use for prompts and conversations. */
  readonly usesPrompts: boolean;
}

/** Describes a definition by its name, title, description and texts. */
export function describeSubject(
  definition: Definition,
  texts: readonly Text[],
  { otherTools = [] }: SuspicionContext,
): Subject {
  const own = new Set(texts.filter(({ isName }) => isName).map(({ value }) => value.toLowerCase()));
  const [name, title, description] = [definition.name, definition.title, definition.description].map((text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : '',
  ) as [string, string, string];
  own.add(name);
  const others = distinctiveNames(otherTools);
  const about = `${name} ${title} ${description}`.slice(0, 5000);
  const words = about.split(/[^a-z]+/);
  return {
    isTool: (word) =>
      (word !== name && others.has(word)) || (/^[a-z][a-z0-9]*_[a-z0-9_]*[a-z0-9]$/.test(word) && !own.has(word)),
    isScanner: words.filter((word) => scannerWords.has(word)).length >= 2,
    topic: `${name} ${title} ${/^[^.!\n]{0,300}/.exec(description)?.[0] ?? ''}`,
    usesPrompts: promptWords.test(about),
  };
}

/** By the list of tools, which is the same for many definitions. */
const namesByList = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The names of tools that are no words of a usual text. */
function distinctiveNames(tools: readonly string[]): ReadonlySet<string> {
  const known = namesByList.get(tools);
  if (known !== undefined) return known;
  const names = new Set(tools.map((tool) => tool.toLowerCase()).filter((tool) => /[_.-]|.{8}/.test(tool)));
  namesByList.set(tools, names);
  return names;
}

/** The signs in one text. */
export function signsOf(text: Text, subject: Subject): Sign[] {
  const { path, value } = text;
  if (value.length < 3) return [];
  const signs: Sign[] = [...hiddenCharacters(text)];
  const isIcon = text.role === 'src';
  const hidden = isIcon ? undefined : findHiddenText(value);
  if (hidden !== undefined)
    signs.push({ path, reason: 'hidden-text', text: hidden.text, excerpt: excerptOf(value, hidden.at), weight: 3 });
  const normalized = normalizeText(value);
  const [mixed] = normalized.mixed;
  if (mixed !== undefined)
    signs.push({
      path,
      reason: 'look-alike',
      text: 'a word has letters of another script that look alike',
      excerpt: excerptOf(mixed, 0),
      weight: text.isName || normalized.mixed.length > 1 ? 3 : 2,
    });
  if (normalized.spaced.length > 0)
    signs.push({
      path,
      reason: 'hidden-text',
      text: 'words have spaces between their letters',
      excerpt: excerptOf(normalized.spaced.join(' '), 0),
      weight: /ignore|previous|instruct|system|secret|donot|user|password|prompt/.test(normalized.spaced.join(''))
        ? 3
        : 1.5,
    });
  if (!isIcon)
    signs.push(
      ...signsOfMarkup(text, subject),
      ...signsOfAddresses(text, normalized.text),
      ...signsOfEncoding(text, subject),
    );
  else if (!/^(?:https:|data:image\/)/i.test(value))
    signs.push({
      path,
      reason: 'encoded',
      text: 'an icon has an address that is no picture',
      excerpt: excerptOf(value, 0),
      weight: /^(?:javascript|data|vbscript):/i.test(value) ? 3 : 1,
    });
  if (value.length >= 8) signs.push(...signsOfPhrases(text, normalized.text, subject));
  return signs;
}

function hiddenCharacters({ path, value }: Text): Sign[] {
  const hidden = findHiddenCharacter(value);
  if (hidden === undefined) return [];
  return [{ path, reason: 'hidden-characters', text: hidden.text, excerpt: excerptOf(value, hidden.at), weight: 3 }];
}

let phraseIndex: PhraseIndex | undefined;

function signsOfPhrases(text: Text, normalized: string, subject: Subject): Sign[] {
  const { path, isName } = text;
  const signs: Sign[] = [];
  const plain = isName ? normalized.replace(/[_-]+/g, ' ') : normalized;
  const tokens = tokenize(plain, { isTool: subject.isTool, isDangerous, isSecretPath });
  const words = new Set(tokens.map(({ word }) => word));
  // A short name can't instruct.
  const signals = isName && tokens.length < 5 ? [] : phraseSignals;
  phraseIndex ??= new PhraseIndex(phraseSignals.flatMap(({ phrases }) => phrases));
  const found = signals.length > 0 ? phraseIndex.find(tokens) : new Map<Phrase, PhraseMatch>();
  for (const { reason, weight, text: meaning, phrases } of found.size > 0 ? signals : []) {
    const matches = phrases.flatMap((phrase) => found.get(phrase) ?? []);
    const [match] = matches;
    if (match === undefined) continue;
    const [start, end] = [tokens[match.first]?.start ?? 0, tokens[match.last]?.end ?? 0];
    const isMentioned = subject.isScanner && isAboutAttack(tokens, match.first);
    // Names and values are no place for instructions.
    const more = isName && weight >= 1.5 ? 1.5 : 0;
    const repeated = Math.min(2, new Set(matches.map(({ first }) => first)).size - 1) * (weight / 2);
    const total = isMentioned ? 0.5 : weight + more + repeated;
    signs.push({ path, reason, text: meaning, excerpt: excerptOf(plain, start, end), weight: total });
  }
  signs.push(
    ...signsOfNumbers(text),
    ...signsOfPrivateData(text, tokens, subject, plain),
    ...signsOfCues(text, tokens, subject),
  );
  if (/[\u0400-\u04FF\u3040-\u30FF\u4E00-\u9FFF\uAC00-\uD7AF]/.test(normalized)) {
    for (const [reason, meaning, pattern] of foreignPhrases) {
      const match = pattern.exec(normalized);
      if (match !== null)
        signs.push({ path, reason, text: meaning, excerpt: excerptOf(normalized, match.index), weight: 3 });
    }
  }
  const squashed = isName ? normalized.replace(/[^a-z]/g, '') : '';
  if (
    text.role === 'property' &&
    /idrsa|ided25519|sshkey|sshprivate|envfile|dotenv|awscredential|etcpasswd|etcshadow|mcpjson|bashhistory|kubeconfig|privatekey/.test(
      squashed,
    ) &&
    /content|read|text|dump|output|before|from/.test(squashed)
  )
    signs.push({
      path,
      reason: 'exfiltration',
      text: 'a name asks for the contents of a file',
      excerpt: excerptOf(normalized, 0),
      weight: 3,
    });
  if (isName && text.role === 'property' && words.size >= 7 && normalized.length > 45)
    signs.push({
      path,
      reason: 'instructions',
      text: 'a name is a whole sentence',
      excerpt: excerptOf(plain, 0),
      weight: 1.5,
    });
  if (text.role === 'type' && normalized.length > 12)
    signs.push({ path, reason: 'instructions', text: 'a type is a text', excerpt: excerptOf(plain, 0), weight: 2 });
  return signs;
}

/** Words that are rare in definitions, in sentences that don't say what the tool does. */
function signsOfCues(
  { path, role }: Text,
  tokens: readonly Token[],
  { topic, isScanner, usesPrompts }: Subject,
): Sign[] {
  if (role !== 'description' || isScanner || usesPrompts) return [];
  const found = new Set(tokens.map(({ word }) => word).filter((word) => cues.has(word) && !topic.includes(word)));
  const sum = [...found].reduce((total, word) => total + (cues.get(word) ?? 0), 0);
  const rate = sum / Math.max(1, tokens.length / 40);
  if (rate < 1) return [];
  const excerpt = [...found].join(', ');
  return [
    {
      path,
      reason: 'pressure',
      text: 'it has several words that are rare in definitions',
      excerpt,
      weight: Math.min(2, rate),
    },
  ];
}

/** Private data that is passed on by a tool that is about something else. */
function signsOfPrivateData({ path, role }: Text, tokens: readonly Token[], subject: Subject, plain: string): Sign[] {
  if (role === 'name' || role === 'property') return [];
  const topic = `${subject.topic} ${path.slice(0, path.lastIndexOf('/'))}`.toLowerCase();
  const signs: Sign[] = [];
  for (const { about, data } of privateData) {
    if (about.test(topic)) continue;
    const match = data.map((phrase) => findPhrase(tokens, phrase)).find((found) => found !== undefined);
    if (match === undefined) continue;
    let [first, last] = [match.first, match.last];
    while (first > 0 && tokens[first - 1]?.kind !== 'end') first -= 1;
    while (last < tokens.length - 1 && tokens[last + 1]?.kind !== 'end') last += 1;
    const sentence = tokens.slice(first, last + 1);
    const passed = findPhrase(sentence, passing);
    if (passed === undefined || isNegated(tokens, match.first) || isNegated(sentence, passed.first)) continue;
    const excerpt = excerptOf(plain, tokens[match.first]?.start ?? 0, tokens[match.last]?.end ?? 0);
    signs.push({
      path,
      reason: 'exfiltration',
      text: 'it wants private data that it is not about',
      excerpt,
      weight: subject.isScanner ? 0.5 : 3,
    });
  }
  return signs;
}

/** True if words before the place, in the same or the last sentence, are about detecting attacks. */
function isAboutAttack(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(Math.max(0, at - 25), at).some(({ word }) => scannerWords.has(word));
}

function signsOfMarkup({ path, value, isName }: Text, { isScanner }: Subject): Sign[] {
  const signs: Sign[] = [];
  for (const [pattern, weight, meaning] of markup) {
    const match = pattern.exec(value);
    if (match !== null)
      signs.push({
        path,
        reason: 'instructions',
        text: meaning,
        excerpt: excerptOf(value, match.index),
        weight: isScanner ? Math.min(1, weight) : weight + (isName ? 1 : 0),
      });
  }
  return signs;
}

const markup: readonly [RegExp, number, string][] = [
  [
    /<\|?(?:im_start|im_end|endoftext|system|assistant|eot_id|start_header_id)\|?>|\[\/?INST\]|<<\/?SYS>>|\[\/?SYSTEM\]/,
    3,
    'it has marks of a conversation with a model',
  ],
  [
    /<\/?(?:system[-_ ]?(?:prompt|reminder|message|instruction|override|note|command)?s?|hidden(?:[-_ ]\w{1,20})?|secret(?:[-_ ]\w{1,20})?|admin(?:[-_ ]\w{1,20})?|override|assistant[-_ ]?\w{0,20}|ai[-_ ]?(?:instruction|note)s?|internal[-_ ]?\w{0,20}|developer[-_ ]?\w{0,20}|mandatory\w{0,20}|prerequisite\w{0,20})>/i,
    3,
    'it has marks of a conversation with a model',
  ],
  [
    /<\/?(?:IMPORTANT|CRITICAL|URGENT|INSTRUCTIONS?|REQUIRED|NOTICE|WARNING|RULES?|PROTOCOL|DIRECTIVE)(?:[-_ ]\w{1,20})?>/,
    2,
    'it has a block of instructions',
  ],
  [
    /(?:^|\n)[#*[\s]{0,6}(?:system|assistant|developer)[\]\s]{0,3}(?:prompt|message|override|note|instructions?|notice)?[*\s]{0,3}:/i,
    2,
    'it has marks of a conversation with a model',
  ],
  [
    /(?:^|[.!?\n]\s{1,3})(?:SYSTEM|ASSISTANT|ADMIN|DEVELOPER|ROOT)\s?:/,
    3,
    'it has marks of a conversation with a model',
  ],
  [
    /\b(?:to|for|attention|dear|note to|message to) (?:the |all |any )?(?:ai|llm|assistant|model|agent)s?(?: model| assistant| agent)?s?\s?[:,([]/i,
    2,
    'it speaks to a model like its system',
  ],
  [/\n\s{0,5}(?:human|user|assistant)\s?:\s?\S/i, 1.5, 'it has marks of a conversation with a model'],
  [
    /\[(?:hidden|system|internal|admin|override|secret|critical|instruction)[^\]\n]{0,30}\]/i,
    2,
    'it has marks of a conversation with a model',
  ],
  [/(?:\\x1b|\\u001b|\\033|\\e)\[/i, 1, 'it has escape sequences of a terminal'],
  [/\b(?:eval|exec|atob|popen|os\.system|__import__)\(|process\.env\.|os\.environ/, 1.5, 'it has program code'],
  [/javascript:|vbscript:|data:text\/html|data:[\w/+-]{1,40};base64,/i, 2, 'it has an address with contents'],
  [
    /<(?:script|iframe|img|svg|object|embed)\b[^>]{0,200}(?:src|on\w{3,12})\s?=/i,
    2,
    'it has active contents of a page',
  ],
];

function signsOfAddresses({ path }: Text, normalized: string): Sign[] {
  const signs: Sign[] = [];
  let heaviest = 0;
  for (const [needle, weight] of sensitivePaths) {
    const at = weight > heaviest ? indexOfPath(normalized, needle) : -1;
    if (at < 0) continue;
    heaviest = weight;
    signs.push({
      path,
      reason: 'sensitive-file',
      text: 'it names a file that holds secrets',
      excerpt: excerptOf(normalized, at),
      weight,
    });
  }
  if (/https?:|@|\.(?:com|net|io|org|site|sh|dev|app|example|test)\b/.test(normalized)) {
    const found = collectors.find((host) => normalized.includes(host));
    if (found !== undefined)
      signs.push({
        path,
        reason: 'exfiltration',
        text: 'it names a host that collects what is sent to it',
        excerpt: excerptOf(normalized, normalized.indexOf(found)),
        weight: 2,
      });
    const address = /https?:\/\/\d{1,3}(?:\.\d{1,3}){3}(?!\d)/.exec(normalized);
    if (address !== null && !/\/\/(?:127\.|0\.0\.0\.0|10\.|192\.168\.)/.test(address[0]))
      signs.push({
        path,
        reason: 'exfiltration',
        text: 'it names a host by its number',
        excerpt: excerptOf(normalized, address.index),
        weight: 1.5,
      });
    const carrier = /https?:\/\/[^\s)"']{1,200}[?&][\w-]{1,30}=(?:\{|<|\[|\$|%7b|\.\.\.)/.exec(normalized);
    if (carrier !== null)
      signs.push({
        path,
        reason: 'exfiltration',
        text: 'it has an address with a place for data',
        excerpt: excerptOf(normalized, carrier.index),
        weight: 1,
      });
  }
  return signs;
}

/** An account, a wallet or a telephone number that is no example. */
const accountNumber =
  /(?<![\w.])\+\d{10,15}(?!\d)|\b0x[0-9a-fA-F]{40}\b|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/;

function signsOfNumbers({ path, value, role }: Text): Sign[] {
  const match = role === 'description' ? accountNumber.exec(value) : null;
  if (match === null || (match[0].match(/\d/g)?.length ?? 0) < 10) return [];
  const around = value.slice(Math.max(0, match.index - 40), match.index).toLowerCase();
  if (/e\.g|example|such as|like|format|default|"|for instance|i\.e|:\s*$|\(\s*$/.test(around)) return [];
  return [
    {
      path,
      reason: 'exfiltration',
      text: 'it names an account or a telephone number',
      excerpt: excerptOf(value, match.index),
      weight: 2.5,
    },
  ];
}

function isDangerous(word: string): boolean {
  return dangerousTool.test(word);
}

function isSecretPath(word: string): boolean {
  if (!/[./_~]/.test(word)) return false;
  return sensitivePaths.some(
    ([needle]) =>
      !needle.includes(' ') && (needle === '.env' ? /^(?:\S*\/)?\.env(?:\.\w+)?$/.test(word) : word.includes(needle)),
  );
}

function indexOfPath(text: string, needle: string): number {
  if (needle !== '.env') return text.indexOf(needle);
  return text.search(/(?<![\w])\.env(?![\w])/);
}

function signsOfEncoding({ path, value }: Text, subject: Subject): Sign[] {
  if (value.length < 24) return [];
  return decodeParts(value).map((part) => {
    const inner = normalizeText(part.decoded).text;
    const text: Text = { path, value: part.decoded, role: 'description', isName: false };
    const isInstruction = [
      ...signsOfPhrases(text, inner, { ...subject, isScanner: false }),
      ...signsOfAddresses(text, inner),
    ].some(({ weight }) => weight >= 1.5);
    const weight = isInstruction || part.text.includes('escaped') ? 3 : 1.5;
    return {
      path,
      reason: 'encoded',
      text: part.text,
      excerpt: `${excerptOf(value, part.at).slice(0, 60)} = ${excerptOf(part.decoded, 0)}`,
      weight,
    };
  });
}
