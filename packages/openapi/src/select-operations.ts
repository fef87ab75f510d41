import { nameMatcher } from '@ccmcp/core/groups';
import { isObject, textOf } from './json.ts';
import type { Operation } from './operations.ts';
import type { OpenApiOptions, OperationFilter } from './options.ts';

/** Tells which operations are offered. Throws a `TypeError` if a filter is none. */
export function operationSelector({
  include,
  exclude,
}: Pick<OpenApiOptions, 'include' | 'exclude'>): (operation: Operation) => boolean {
  const included = include === undefined ? undefined : matcherOf('include', include);
  const excluded = exclude === undefined ? undefined : matcherOf('exclude', exclude);
  return (operation) =>
    isMarked(operation) !== false && included?.(operation) !== false && excluded?.(operation) !== true;
}

type Matcher = (operation: Operation) => boolean;

function matcherOf(option: string, filters: OperationFilter | readonly OperationFilter[]): Matcher {
  const matchers = [filters].flat().map((filter) => filterMatcher(option, filter));
  return (operation) => matchers.some((matches) => matches(operation));
}

function filterMatcher(option: string, filter: OperationFilter): Matcher {
  assertFilter(option, filter);
  const { marked, methods } = filter;
  const tags = patterns(filter.tags);
  const paths = patterns(filter.paths);
  const ids = patterns(filter.operations);
  const verbs = methods?.map((method) => method.toUpperCase());
  return (operation) =>
    tags?.(operation.tags) !== false &&
    paths?.([operation.path]) !== false &&
    ids?.([textOf(operation.value.operationId) ?? '']) !== false &&
    verbs?.includes(operation.method) !== false &&
    (marked === undefined || (isMarked(operation) === true) === marked);
}

function patterns(texts: readonly string[] | undefined): ((values: readonly string[]) => boolean) | undefined {
  const matchers = texts?.map(nameMatcher);
  return matchers && ((values) => values.some((value) => matchers.some((matches) => matches(value))));
}

/** What `x-mcp` says: `false` leaves an operation out; `true` or an object marks it. */
function isMarked({ mark }: Operation): boolean | undefined {
  if (typeof mark === 'boolean') return mark;
  if (!isObject(mark)) return undefined;
  return mark.enabled !== false;
}

const members = ['tags', 'paths', 'methods', 'operations', 'marked'] satisfies (keyof OperationFilter)[];

function assertFilter(option: string, filter: unknown): void {
  const unknown = isObject(filter) ? Object.keys(filter).find((name) => !members.some((each) => each === name)) : '';
  if (unknown === undefined) return;
  const problem = isObject(filter) ? `has "${unknown.slice(0, 40)}"` : 'is no object';
  throw new TypeError(`openApi: "${option}" ${problem}: a filter has ${members.join(', ')}`);
}
