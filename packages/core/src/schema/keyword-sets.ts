/** Keywords whose values are not schemas. */
export const literalKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** Keywords whose members are named by the author, and are not keywords. */
export const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
