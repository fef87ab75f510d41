import type { IndexedTool } from '@ccmcp/core/tool-search';
import type { Listing, Problem, Rule } from './finding.ts';
import { isRecord } from '../../system/record.ts';
import { resolvePointer, type SchemaNode, schemaNodes } from './schema-nodes.ts';
import { wordsOf } from './words.ts';

/** Keywords that were removed or replaced after draft 4. */
const oldKeywords = ['divisibleBy', 'extends', 'disallow'];

/** Keywords that clients drop or reject when they convert a schema for a model. */
const rareKeywords = [
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'if',
  'not',
  'contains',
  'prefixItems',
  '$dynamicRef',
  '$recursiveRef',
];

export const schemaRoot: Rule = {
  id: 'schema-root',
  severity: 'error',
  about: 'an input schema is no object with "type": "object", or an output schema is no schema',
  advice: 'Give the schema "type": "object"; put other values into a property.',
  *check({ tools }) {
    for (const tool of tools) {
      for (const [member, schema] of schemasOf(tool)) {
        if (!isRecord(schema)) yield { tool: tool.name, path: member, message: 'there is no schema' };
        else if (member === 'inputSchema' && schema.type !== 'object')
          yield { tool: tool.name, path: `${member}.type`, message: 'the type of the root is not "object"' };
      }
    }
  },
};

export const schemaRootChoice: Rule = {
  id: 'schema-root-choice',
  severity: 'error',
  about: 'the root of an input schema has anyOf, oneOf, allOf, enum or not, which models reject',
  advice: 'Move it into a property, or make a tool of each alternative.',
  *check({ tools }) {
    for (const { name, inputSchema } of tools) {
      if (!isRecord(inputSchema)) continue;
      for (const keyword of ['anyOf', 'oneOf', 'allOf', 'enum', 'not']) {
        if (Object.hasOwn(inputSchema, keyword))
          yield { tool: name, path: `inputSchema.${keyword}`, message: `the root of the schema has "${keyword}"` };
      }
    }
  },
};

export const schemaExternalReference: Rule = {
  id: 'schema-external-ref',
  severity: 'error',
  about: 'a $ref leads out of the schema',
  advice: 'Copy what it refers to into "$defs": clients load nothing from elsewhere.',
  check: (listing) =>
    nodesWhere(listing, ({ schema: { $ref } }) =>
      typeof $ref === 'string' && !$ref.startsWith('#') ? 'the $ref leads out of the schema' : undefined,
    ),
};

export const schemaDanglingReference: Rule = {
  id: 'schema-dangling-ref',
  severity: 'error',
  about: 'a $ref leads to nothing',
  advice: 'Define it in "$defs" of the same schema, or correct the path.',
  *check({ tools }) {
    for (const tool of tools) {
      for (const [member, root] of schemasOf(tool)) {
        for (const { schema, path } of schemaNodes(root, member)) {
          const { $ref } = schema;
          if (typeof $ref === 'string' && /^#(?:\/|$)/.test($ref) && resolvePointer(root, $ref) === undefined)
            yield { tool: tool.name, path: `${path}.$ref`, message: 'the $ref leads to nothing' };
        }
      }
    }
  },
};

export const schemaRecursive: Rule = {
  id: 'schema-recursive-ref',
  severity: 'warning',
  about: 'a $ref leads back to a schema that contains it',
  advice: 'Write out as many levels as are needed: several clients and models reject recursion.',
  *check({ tools }) {
    for (const tool of tools) {
      for (const [member, root] of schemasOf(tool)) {
        const path = findRecursion(root, member);
        if (path !== undefined) yield { tool: tool.name, path, message: 'the schema refers to itself' };
      }
    }
  },
};

export const schemaKeyword: Rule = {
  id: 'schema-keyword',
  severity: 'hint',
  about: 'an input schema has a keyword that clients drop or reject',
  advice: 'Check it in the tool, and say it in the description.',
  check: (listing) =>
    nodesWhere(listing, ({ schema, path }) => {
      const found = path.startsWith('inputSchema')
        ? rareKeywords.filter((keyword) => Object.hasOwn(schema, keyword) && !saysNothing(keyword, schema[keyword]))
        : [];
      return found.length === 0 ? undefined : `many clients ignore ${found.map((each) => `"${each}"`).join(', ')}`;
    }),
};

/** True for `"propertyNames": { "type": "string" }`, which generators write although all names are strings. */
function saysNothing(keyword: string, value: unknown): boolean {
  return keyword === 'propertyNames' && isRecord(value) && value.type === 'string' && Object.keys(value).length === 1;
}

export const schemaOldDraft: Rule = {
  id: 'schema-old-draft',
  severity: 'warning',
  about: 'a schema has leftovers of draft 4 or earlier',
  advice: 'Write it in JSON Schema 2020-12, which the protocol assumes.',
  check: (listing) => nodesWhere(listing, ({ schema }) => describeOldDraft(schema)),
};

export const requiredUnknown: Rule = {
  id: 'required-unknown',
  severity: 'error',
  about: 'an argument is required that the schema does not define',
  advice: 'Define it in "properties", or take it out of "required".',
  *check({ tools }) {
    for (const { tool, argument, isDefined } of requiredArguments(tools)) {
      if (isDefined) continue;
      yield { tool, path: 'inputSchema.required', message: `the required argument "${argument}" is not defined` };
    }
  },
};

export const argumentUndescribed: Rule = {
  id: 'argument-undescribed',
  severity: 'warning',
  about:
    'a required argument has no description, and neither the description of the tool nor its own values or parts tell of it',
  advice: 'Say what it means and in which form it is given.',
  *check({ tools }) {
    for (const { tool, argument, description, schema, inputSchema } of requiredArguments(tools)) {
      if (!isRecord(schema) || isDescribed(schema, inputSchema) || names(description, argument)) continue;
      yield {
        tool,
        path: `inputSchema.properties.${argument}`,
        message: `the required argument "${argument}" has no description`,
      };
    }
  },
};

/** True if a schema has a description, or says enough by its values or the descriptions of its parts. */
function isDescribed(schema: Record<string, unknown>, root: unknown): boolean {
  const { $ref, const: only, enum: values } = schema;
  if (only !== undefined || Array.isArray(values)) return true;
  const target = typeof $ref === 'string' && $ref.startsWith('#') ? resolvePointer(root, $ref) : undefined;
  return [schema, target].some((each) => schemaNodes(each, '').some((node) => hasDescription(node.schema)));
}

function hasDescription({ description }: Readonly<Record<string, unknown>>): boolean {
  return typeof description === 'string' && description.trim() !== '';
}

/** True if a text has all words of a name, and not only short ones, which any text has. */
function names(text: string, name: string): boolean {
  const words = new Set(wordsOf(text));
  const wanted = wordsOf(name);
  return wanted.some((word) => word.length > 2) && wanted.every((word) => words.has(word));
}

function describeOldDraft(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { $schema, exclusiveMinimum, exclusiveMaximum, required, items } = schema;
  if (typeof $schema === 'string' && /draft-0[0-4]\b/.test($schema)) return '"$schema" names an old draft';
  if (typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean')
    return '"exclusiveMinimum" and "exclusiveMaximum" are numbers since draft 6';
  if (typeof required === 'boolean') return '"required" is a list of names, at the object';
  if (Array.isArray(items)) return 'a list in "items" is "prefixItems" now';
  const old = oldKeywords.find((keyword) => Object.hasOwn(schema, keyword));
  return old === undefined ? undefined : `"${old}" is no keyword any more`;
}

/** The path of a reference to an enclosing schema; undefined if there is none. */
function findRecursion(root: unknown, member: string): string | undefined {
  const refs = schemaNodes(root, member).filter(
    ({ schema: { $ref } }) => typeof $ref === 'string' && /^#(?:\/|$)/.test($ref),
  );
  const pathOf = ($ref: unknown): string => `${member}${pointerPath(String($ref))}`;
  const inside = (place: string): SchemaNode[] =>
    refs.filter(({ path }) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`));
  const state = new Map<string, 'open' | 'done'>();
  const visit = (place: string): boolean => {
    if (state.get(place) !== undefined) return state.get(place) === 'open';
    state.set(place, 'open');
    const isFound = inside(place).some(({ schema: { $ref } }) => visit(pathOf($ref)));
    state.set(place, 'done');
    return isFound;
  };
  if (refs.length > maxReferences) return undefined;
  return refs.find(({ schema: { $ref } }) => visit(pathOf($ref)))?.path;
}

/** Maximum number of references to follow. */
const maxReferences = 1000;

function pointerPath(reference: string): string {
  return reference
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('');
}

function* nodesWhere({ tools }: Listing, problemOf: (node: SchemaNode) => string | undefined): Iterable<Problem> {
  for (const tool of tools) {
    for (const [member, schema] of schemasOf(tool)) {
      for (const node of schemaNodes(schema, member)) {
        const message = problemOf(node);
        if (message !== undefined) yield { tool: tool.name, path: node.path, message };
      }
    }
  }
}

function schemasOf({ inputSchema, outputSchema }: IndexedTool): [member: string, schema: unknown][] {
  return [
    ['inputSchema', inputSchema],
    ...(outputSchema === undefined ? [] : [['outputSchema', outputSchema] as [string, unknown]]),
  ];
}

/** A required argument of a tool, as its schema defines it. */
interface RequiredArgument {
  readonly tool: string;
  readonly argument: string;
  /** Of the tool. */
  readonly description: string;
  readonly isDefined: boolean;
  readonly schema: unknown;
  readonly inputSchema: unknown;
}

function* requiredArguments(tools: readonly IndexedTool[]): Generator<RequiredArgument> {
  for (const { name, description = '', inputSchema } of tools) {
    if (!isRecord(inputSchema) || !Array.isArray(inputSchema.required)) continue;
    const properties = isRecord(inputSchema.properties) ? inputSchema.properties : {};
    for (const argument of inputSchema.required as unknown[]) {
      if (typeof argument !== 'string') continue;
      const isDefined = Object.hasOwn(properties, argument);
      const schema = isDefined ? properties[argument] : undefined;
      yield { tool: name, argument, description, isDefined, schema, inputSchema };
    }
  }
}
