import { isDeepStrictEqual } from 'node:util';
import * as stateless from '@modelcontextprotocol/core';
import * as handshake from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/**
 * The official types, by method: the last handshake revision's from the v1 SDK, the stateless revision's from the v2 one.
 * Neither package publishes a schema of each revision, so what only our digest of the specification says is added here.
 */

export type Era = 'handshake' | 'stateless';

export interface Official {
  results: ReadonlyMap<string, z.ZodType>;
  notifications: ReadonlyMap<string, z.ZodType>;
  /** Questions of a server: as requests, or inside an `input_required` result. */
  questions: ReadonlyMap<string, z.ZodType>;
}

/** The specification has titles of prompt arguments; both packages lack them. */
const promptArgument = z.strictObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean().optional(),
});

const handshakePrompt = handshake.PromptSchema.extend({ arguments: z.array(promptArgument).optional() });
const statelessPrompt = stateless.PromptSchema.extend({ arguments: z.array(promptArgument).optional() });

const resultMeta = z.looseObject({ 'io.modelcontextprotocol/serverInfo': stateless.ImplementationSchema });
const complete = { resultType: z.literal('complete'), _meta: resultMeta };
const cached = { ...complete, ttlMs: z.int().min(0), cacheScope: z.enum(['public', 'private']) };

/** `execution` belongs to the previous revision: S-T-14. */
const statelessTool = stateless.ToolSchema.omit({ execution: true });

const urlQuestion = stateless.ElicitRequestURLParamsSchema.omit({ elicitationId: true }).strict();

const statelessQuestions = new Map<string, z.ZodType>([
  [
    'elicitation/create',
    z.strictObject({
      method: z.literal('elicitation/create'),
      params: z.union([urlQuestion, stateless.ElicitRequestFormParamsSchema]),
    }),
  ],
  ['sampling/createMessage', stateless.CreateMessageRequestSchema.strict()],
  ['roots/list', stateless.ListRootsRequestSchema.strict()],
]);

/** A result with questions, which the client answers in a retry. */
export const inputRequired = z
  .strictObject({
    resultType: z.literal('input_required'),
    inputRequests: z
      .record(z.string(), z.unknown())
      .refine((questions) => Object.values(questions).every(isQuestion), 'S-I-03: one is no question')
      .optional(),
    requestState: z.string().optional(),
    _meta: resultMeta,
  })
  .refine(
    ({ inputRequests, requestState }) => inputRequests !== undefined || requestState !== undefined,
    'S-I-02: neither inputRequests nor requestState',
  );

function isQuestion(value: unknown): boolean {
  const schema = statelessQuestions.get((value as { method: string }).method);
  return schema !== undefined && problemsOf(schema, value).length === 0;
}

export const official: Record<Era, Official> = {
  handshake: {
    results: new Map<string, z.ZodType>([
      ['initialize', handshake.InitializeResultSchema.strict()],
      ['ping', handshake.EmptyResultSchema],
      ['tools/list', handshake.ListToolsResultSchema.strict()],
      ['tools/call', handshake.CallToolResultSchema.strict()],
      ['resources/list', handshake.ListResourcesResultSchema.strict()],
      ['resources/templates/list', handshake.ListResourceTemplatesResultSchema.strict()],
      ['resources/read', handshake.ReadResourceResultSchema.strict()],
      ['resources/subscribe', handshake.EmptyResultSchema],
      ['resources/unsubscribe', handshake.EmptyResultSchema],
      ['prompts/list', handshake.ListPromptsResultSchema.extend({ prompts: z.array(handshakePrompt) }).strict()],
      ['prompts/get', handshake.GetPromptResultSchema.strict()],
      ['completion/complete', handshake.CompleteResultSchema.strict()],
      ['logging/setLevel', handshake.EmptyResultSchema],
    ]),
    notifications: new Map<string, z.ZodType>([
      ['notifications/cancelled', handshake.CancelledNotificationSchema],
      ['notifications/progress', handshake.ProgressNotificationSchema],
      ['notifications/message', handshake.LoggingMessageNotificationSchema],
      ['notifications/tools/list_changed', handshake.ToolListChangedNotificationSchema],
      ['notifications/prompts/list_changed', handshake.PromptListChangedNotificationSchema],
      ['notifications/resources/list_changed', handshake.ResourceListChangedNotificationSchema],
      ['notifications/resources/updated', handshake.ResourceUpdatedNotificationSchema],
    ]),
    questions: new Map<string, z.ZodType>([
      ['ping', handshake.PingRequestSchema],
      ['elicitation/create', handshake.ElicitRequestSchema],
      ['sampling/createMessage', handshake.CreateMessageRequestSchema],
      ['roots/list', handshake.ListRootsRequestSchema],
    ]),
  },
  stateless: {
    results: new Map<string, z.ZodType>([
      ['server/discover', stateless.DiscoverResultSchema.extend(cached).strict()],
      ['tools/list', stateless.ListToolsResultSchema.extend({ ...cached, tools: z.array(statelessTool) }).strict()],
      ['tools/call', stateless.CallToolResultSchema.extend(complete).strict()],
      ['resources/list', stateless.ListResourcesResultSchema.extend(cached).strict()],
      ['resources/templates/list', stateless.ListResourceTemplatesResultSchema.extend(cached).strict()],
      ['resources/read', stateless.ReadResourceResultSchema.extend(cached).strict()],
      [
        'prompts/list',
        stateless.ListPromptsResultSchema.extend({ ...cached, prompts: z.array(statelessPrompt) }).strict(),
      ],
      ['prompts/get', stateless.GetPromptResultSchema.extend(complete).strict()],
      ['completion/complete', stateless.CompleteResultSchema.extend(complete).strict()],
      [
        'subscriptions/listen',
        stateless.SubscriptionsListenResultSchema.extend({
          ...complete,
          _meta: resultMeta.extend(stateless.SubscriptionsListenResultMetaSchema.shape),
        }).strict(),
      ],
    ]),
    notifications: new Map<string, z.ZodType>([
      ['notifications/cancelled', stateless.CancelledNotificationSchema],
      ['notifications/progress', stateless.ProgressNotificationSchema],
      ['notifications/message', stateless.LoggingMessageNotificationSchema],
      ['notifications/tools/list_changed', stateless.ToolListChangedNotificationSchema],
      ['notifications/prompts/list_changed', stateless.PromptListChangedNotificationSchema],
      ['notifications/resources/list_changed', stateless.ResourceListChangedNotificationSchema],
      ['notifications/resources/updated', stateless.ResourceUpdatedNotificationSchema],
      ['notifications/subscriptions/acknowledged', stateless.SubscriptionsAcknowledgedNotificationSchema],
    ]),
    questions: statelessQuestions,
  },
};

/** Violations of an official type. An unknown member is one, at any depth. */
export function problemsOf(schema: z.ZodType, value: unknown): string[] {
  const parsed = schema.safeParse(value);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (isDeepStrictEqual(parsed.data, value)) return [];
  return [`members that the official type does not know; it takes only ${JSON.stringify(parsed.data)}`];
}
