/** How an expression writes its variables: one row of the table in RFC 6570, appendix A. */
export interface Operator {
  /** The text before the first variable that has a value. */
  readonly first: string;
  readonly separator: string;
  /** Whether each value follows its name, as in a query. */
  readonly named: boolean;
  /** Whether reserved characters such as `/` are written unescaped. */
  readonly reserved: boolean;
}

/** One variable of an expression with its modifier. */
export interface Variable {
  readonly name: string;
  readonly explode: boolean;
  /** How many characters of the value are written (`:n`); Infinity without that modifier. */
  readonly limit: number;
}

/** The contents of a pair of braces. */
export interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

/** A template is literals and expressions, in order. */
export type Part = string | Expression;

/** A parsed template. `matchTemplate` compares URIs with it. */
export interface TemplatePattern {
  readonly text: string;
  /** The names, each once, in order. */
  readonly variables: readonly string[];
  readonly parts: readonly Part[];
}

const simple: Operator = { first: '', separator: ',', named: false, reserved: false };

/** The operator of a sign. The table is created lazily, to keep the start of servers fast. */
function operatorOf(sign: string): Operator | undefined {
  switch (sign) {
    case '+':
      return { ...simple, reserved: true };
    case '#':
      return { ...simple, first: '#', reserved: true };
    case '.':
    case '/':
      return { ...simple, first: sign, separator: sign };
    case ';':
      return { ...simple, first: ';', separator: ';', named: true };
    case '?':
    case '&':
      return { ...simple, first: sign, separator: '&', named: true };
    default:
      return undefined;
  }
}

const variableForm = /^((?:\w|%[\dA-Fa-f]{2})(?:\.?(?:\w|%[\dA-Fa-f]{2}))*)(?::([1-9]\d{0,3})|(\*))?$/;

/**
 * Parses a template of any RFC 6570 level. Throws a `TypeError` that says where it is malformed and what to write
 * instead.
 */
export function parsePattern(text: string): TemplatePattern {
  const parts = parseParts(text);
  const names = parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables.map(({ name }) => name)));
  return { text, variables: [...new Set(names)], parts };
}

function parseParts(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    const literal = text.slice(at, open === -1 ? text.length : open);
    if (literal !== '') parts.push(checkLiteral(literal, at));
    if (open === -1) break;
    const close = text.indexOf('}', open);
    if (close === -1) throw malformed(open, "'{' is never closed; add '}', or write %7B for a brace");
    parts.push(parseExpression(text.slice(open + 1, close), open + 1));
    at = close + 1;
  }
  return parts;
}

function checkLiteral(literal: string, at: number): string {
  const found = /\p{Cc}|[ "<>\\^`|}]|%(?![\dA-Fa-f]{2})/u.exec(literal);
  if (found === null) return literal;
  const escape = `%${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  const character = JSON.stringify(found[0]);
  throw malformed(at + found.index, `${character} can't stand here in a URI; write it percent-encoded, as ${escape}`);
}

function parseExpression(body: string, at: number): Expression {
  const sign = body.charAt(0);
  if (body === '') throw malformed(at, 'the braces are empty; name a variable, as in {id}');
  if ('=,!@|'.includes(sign)) {
    throw malformed(at, `the operator '${sign}' is reserved; use one of + # . / ; ? & or none`);
  }
  const operator = operatorOf(sign);
  let from = operator === undefined ? 0 : 1;
  const variables: Variable[] = [];
  for (const spec of body.slice(from).split(',')) {
    variables.push(parseVariable(spec, at + from));
    from += spec.length + 1;
  }
  return { operator: operator ?? simple, variables };
}

function parseVariable(spec: string, at: number): Variable {
  const [, name, limit, star] = variableForm.exec(spec) ?? [];
  if (name === undefined) {
    const shown = JSON.stringify(spec.slice(0, 40));
    throw malformed(
      at,
      `${shown} is not a variable; use letters, digits, '_' and inner dots, then nothing, '*', or ':' and 1 to 9999`,
    );
  }
  return { name, explode: star !== undefined, limit: limit === undefined ? Infinity : Number(limit) };
}

function malformed(at: number, problem: string): TypeError {
  return new TypeError(`Malformed URI template at position ${at}: ${problem}`);
}
