import { isObject } from '../jsonrpc/message.ts';
import type { ElicitParams, SampleParams } from '../protocol/questions.ts';
import type { WireSchema } from '../protocol/listing.ts';
import { rejectUnsupported } from './downgrade.ts';
import type { Changes } from './revision.ts';

/** Elicitation by URL and with richer choices; tools in sampling; tasks; HTTP streams that a client may be sent away from. */
export const changes: Changes = {
  version: '2025-11-25',
  primesStreams: true,
  adds: { abilities: ['elicit-url', 'sample-tools'], builtInFeatures: ['tasks'] },
  downgrade: {
    'elicitation/create': plainForm,
    'sampling/createMessage': oneBlockPerMessage,
  },
};

function plainForm(params: ElicitParams): ElicitParams {
  if (params.mode === 'url') rejectUnsupported('elicitation by URL', { elicitation: { url: {} } });
  const properties = params.requestedSchema.properties as Record<string, WireSchema>;
  const plain = Object.entries(properties).map(([name, schema]) => [name, plainField(name, schema)]);
  return { ...params, requestedSchema: { ...params.requestedSchema, properties: Object.fromEntries(plain) } };
}

function plainField(name: string, schema: WireSchema): WireSchema {
  if (schema.type === 'array')
    rejectUnsupported(`a choice of several values ("${name}")`, { elicitation: { form: {} } });
  if (!Array.isArray(schema.oneOf)) return schema;
  const { oneOf, ...rest } = schema;
  const choices = (oneOf as unknown[]).filter(isObject);
  const enumNames = choices.map((choice) => choice.title ?? choice.const);
  return { ...rest, enum: choices.map((choice) => choice.const), enumNames };
}

function oneBlockPerMessage(params: SampleParams): SampleParams {
  if (params.tools !== undefined) rejectUnsupported('tools in sampling', { sampling: { tools: {} } });
  const messages = params.messages.flatMap(({ content, ...message }) =>
    (Array.isArray(content) ? content : [content]).map((block) => {
      if (block.type === 'tool_use' || block.type === 'tool_result')
        rejectUnsupported('tools in sampling', { sampling: { tools: {} } });
      return { ...message, content: block };
    }),
  );
  return { ...params, messages };
}
