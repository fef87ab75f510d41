import type { ApiResponse } from './call-operation.ts';
import { Documents, type Located } from './documents.ts';
import type { InputPlan } from './input-plan.ts';
import { entriesOf, isObject, type JsonObject, memberOf } from './json.ts';
import type { Operation } from './operations.ts';
import type { DocumentedResponse } from './output-plan.ts';

/** A call that follows from a response, such as that for the next page. */
export interface FollowUp {
  /** The name of the link: `next`, or that of the document. */
  readonly name: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A tool that a link may lead to. */
export interface LinkTarget {
  readonly tool: string;
  readonly operation: Operation;
  readonly input: InputPlan;
}

/** Finds the tool of an operation by its id, or by its JSON pointer. */
export type FindTarget = (operation: { readonly id?: string; readonly pointer?: string }) => LinkTarget | undefined;

/** What the follow-ups of a response depend on. */
export interface FollowUpContext {
  readonly own: LinkTarget;
  readonly args: JsonObject;
  readonly response: ApiResponse;
  /** The parsed body. */
  readonly body: unknown;
  readonly documented: DocumentedResponse | undefined;
  readonly documents: Documents;
  readonly find: FindTarget;
}

/** The maximum follow-ups of one response. */
const maxFollowUps = 10;
/** The maximum length of a value that is passed on. */
const maxValue = 2000;

/** The calls that follow from a response: its header `Link`, and the links of the document. */
export function followUpsOf(context: FollowUpContext): FollowUp[] {
  const next = nextPage(context);
  return [...(next === undefined ? [] : [next]), ...documentedLinks(context)].slice(0, maxFollowUps);
}

/** The arguments for the next page, if they are all arguments of the tool. */
function nextPage({ own, args, response }: FollowUpContext): FollowUp | undefined {
  const url = nextUrl(response);
  if (url === undefined || url.origin !== response.url.origin || url.pathname !== response.url.pathname)
    return undefined;
  const found: Record<string, unknown> = {};
  for (const [name, text] of url.searchParams) {
    if (response.url.searchParams.get(name) === text) continue;
    const target = own.input.parameters.find(({ parameter }) => parameter.place === 'query' && parameter.name === name);
    if (target === undefined) return undefined;
    found[target.argument] = toType(text, memberOf(own.input.schema.properties, target.argument));
  }
  return Object.keys(found).length === 0
    ? undefined
    : { name: 'next', tool: own.tool, arguments: { ...args, ...found } };
}

/** The URL of the first link with `rel=next`, in a header of any length. */
function nextUrl(response: ApiResponse): URL | undefined {
  const header = response.header('link')?.slice(0, 16_384) ?? '';
  for (const [, target = '', parameters = ''] of header.matchAll(/<([^<>]*)>([^<>]*)/g)) {
    const isNext = /;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i.test(parameters);
    if (isNext && URL.canParse(target, response.url.href)) return new URL(target, response.url);
  }
  return undefined;
}

/** A text of a URL as the type that an argument has. */
function toType(text: string, schema: unknown): unknown {
  const types = [memberOf(schema, 'type')].flat();
  const isNumber = (types.includes('integer') || types.includes('number')) && /^-?\d{1,15}(?:\.\d+)?$/.test(text);
  return isNumber ? Number(text) : text;
}

function documentedLinks(context: FollowUpContext): FollowUp[] {
  const { documented, documents } = context;
  if (documented === undefined) return [];
  return entriesOf(documented.value.links).flatMap(([name, value]) => {
    try {
      const link = documents.object({ value, document: documented.document });
      return link === undefined ? [] : (followLink(name, link, context) ?? []);
    } catch {
      return [];
    }
  });
}

function followLink(name: string, { value }: Located<JsonObject>, context: FollowUpContext): FollowUp | undefined {
  const { operationId, operationRef, parameters, requestBody } = value;
  // A body is made of several arguments, so an expression for it has no place.
  if (requestBody !== undefined) return undefined;
  const target = context.find({
    ...(typeof operationId === 'string' && { id: operationId }),
    ...(typeof operationRef === 'string' && { pointer: operationRef }),
  });
  if (target === undefined) return undefined;
  const found: Record<string, unknown> = {};
  for (const [key, expression] of entriesOf(parameters)) {
    const argument = argumentOf(target, key);
    const result = evaluate(expression, context);
    if (argument === undefined || result === undefined || result === null || isLong(result)) return undefined;
    found[argument] = result;
  }
  if (Object.keys(found).length === 0) return undefined;
  // The next page of a list keeps its other arguments.
  return {
    name,
    tool: target.tool,
    arguments: target.tool === context.own.tool ? { ...context.args, ...found } : found,
  };
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' ? value.length > maxValue : isObject(value) || Array.isArray(value);
}

/** The argument of a parameter that is named as `name` or as `query.name`. */
function argumentOf({ input }: LinkTarget, key: string): string | undefined {
  return input.parameters.find(({ parameter: { name, place } }) => name === key || `${place}.${name}` === key)
    ?.argument;
}

/** The value of a runtime expression; others are constants. Undefined if there is none. */
function evaluate(expression: unknown, { own, args, response, body }: FollowUpContext): unknown {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression;
  if (expression === '$statusCode') return response.status;
  const bodyPointer = /^\$response\.body(?:#(.*))?$/s.exec(expression);
  if (bodyPointer !== null) return atPointer(body, bodyPointer[1] ?? '');
  const [, from, place = '', name = ''] = /^\$(request|response)\.(path|query|header)\.(.+)$/s.exec(expression) ?? [];
  if (from === 'response') return place === 'header' ? response.header(name) : undefined;
  const found = own.input.parameters.find(({ parameter }) => parameter.place === place && parameter.name === name);
  return found && memberOf(args, found.argument);
}

function atPointer(value: unknown, pointer: string): unknown {
  try {
    return new Documents({ value }, undefined).resolve({ value: { $ref: `#/value${pointer}` }, document: 'openapi:/' })
      .value;
  } catch {
    return undefined;
  }
}
