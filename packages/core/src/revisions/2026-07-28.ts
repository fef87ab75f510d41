import { isObject } from '../jsonrpc/message.ts';
import type { ToolListing, WireSchema } from '../protocol/listing.ts';
import { rebaseReferences } from '../schema/references.ts';
import type { Changes } from './revision.ts';
import { stateless } from './stateless.ts';

/** The stateless revision: no handshake, no sessions, questions travel inside results. */
export const changes: Changes = {
  version: '2026-07-28',
  mode: stateless,
  primesStreams: false,
  adds: {
    requests: ['server/discover', 'subscriptions/listen'],
    resumes: ['tools/call', 'prompts/get', 'resources/read'],
  },
  drops: {
    requests: ['initialize', 'ping', 'resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'],
    notifications: ['notifications/initialized', 'notifications/progress', 'notifications/roots/list_changed'],
    questions: ['ping'],
    // Now an extension, in another form.
    builtInFeatures: ['tasks'],
  },
  codes: [
    [-32002, -32602],
    [-32042, -32603],
  ],
  downgrade: {
    'tools/list': (result) => ({ ...result, tools: result.tools.map(withObjectSchemas) }),
    'tools/call': (result, { outputSchema }) => {
      if (!('structuredContent' in result)) return result;
      const { structuredContent } = result;
      const fits = outputSchema === undefined ? isObject(structuredContent) : outputSchema.type === 'object';
      return fits ? result : { ...result, structuredContent: { result: structuredContent } };
    },
    'elicitation/create': (params) =>
      params.mode === 'url' ? { ...params, elicitationId: params.elicitationId ?? crypto.randomUUID() } : params,
  },
};

/**
 * Earlier schemas require an object at the root of `outputSchema`, and objects instead of booleans as its properties.
 */
function withObjectSchemas(tool: ToolListing): ToolListing {
  const inputSchema = withoutBooleans(tool.inputSchema);
  if (tool.outputSchema === undefined) return inputSchema === tool.inputSchema ? tool : { ...tool, inputSchema };
  const outputSchema =
    tool.outputSchema.type === 'object' ? withoutBooleans(tool.outputSchema) : wrapInObject(tool.outputSchema);
  return { ...tool, inputSchema, outputSchema };
}

function withoutBooleans(schema: WireSchema): WireSchema {
  const { properties } = schema;
  if (!isObject(properties) || !Object.values(properties).some((value) => typeof value === 'boolean')) return schema;
  const objects = Object.entries(properties).map(([name, value]) => [name, booleanAsObject(value)]);
  return { ...schema, properties: Object.fromEntries(objects) };
}

function booleanAsObject(schema: unknown): unknown {
  if (schema === true) return {};
  return schema === false ? { not: {} } : schema;
}

function wrapInObject({ $schema, ...schema }: WireSchema): WireSchema {
  const inner = {
    type: 'object',
    properties: { result: rebaseReferences(schema, '/properties/result') },
    required: ['result'],
  };
  return $schema === undefined ? inner : { $schema, ...inner };
}
