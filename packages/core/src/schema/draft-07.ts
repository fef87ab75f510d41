import type { JsonSchema } from './infer.ts';

const dialect = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** Whether a schema is of draft-07; one that does not say so is of the dialect around it. */
export function isDraft07({ $schema }: JsonSchema, around = false): boolean {
  return typeof $schema === 'string' ? dialect.test($schema) : around;
}

const besideRef = new Set(['$ref', '$schema', 'definitions', '$defs']);

/** Whether draft-07 looks at this keyword of a schema: beside a `$ref`, only at what references may lead to. */
export function isSeen({ $ref }: JsonSchema, keyword: string): boolean {
  return typeof $ref !== 'string' || besideRef.has(keyword);
}
