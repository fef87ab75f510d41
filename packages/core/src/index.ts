export type { Extension } from './features/extension.ts';
export { ErrorCode, ProtocolError } from './jsonrpc/errors.ts';
export { type Limit, limits } from './limits.ts';
export type { ClientCapabilities, ServerCapabilities } from './protocol/capabilities.ts';
export {
  type Annotations,
  type AudioContent,
  audio,
  type ContentBlock,
  type EmbeddedResource,
  embeddedResource,
  type ImageContent,
  image,
  type ResourceContents,
  type ResourceLink,
  resourceLink,
  type TextContent,
  text,
} from './protocol/content.ts';
export type { Icon, Implementation } from './protocol/identity.ts';
export type { Ability, Root, SampleResult, SamplingContent, SamplingMessage } from './protocol/questions.ts';
export type { ResourceListing, ToolAnnotations } from './protocol/listing.ts';
export { type LogLevel, logLevels } from './protocol/logging.ts';
export type { MethodFacts, MethodRows } from './protocol/methods.ts';
export type { CacheHints, CallToolResult, GetPromptResult, PromptMessage, Result } from './protocol/results.ts';
export type { JsonSchema, JsonSchemaKeywords, Schema, SchemaShape, StandardSchema } from './schema/infer.ts';
export { createServer, type ServerOptions } from './create-server.ts';
export type { Context, Elicited, Question, SampleQuestion } from './server/call/context.ts';
export {
  type Completer,
  type CompletionContext,
  type CompletionValues,
  type Prompt,
  type PromptArgument,
  type PromptValue,
  prompt,
  type Resource,
  type ResourcePage,
  type ResourceValue,
  resource,
  type Template,
  type Tool,
  type ToolResult,
  type ToolValue,
  template,
  tool,
} from './server/define/define.ts';
export type { Requirement } from './server/define/access-rule.ts';
export type { RateLimit, Scopes, TaskSupport, ToolView } from './server/define/feature-options.ts';
export type { Auth, AuthPolicy, Origin, Peer, Rated, RateName, RunningCall } from './server/peer.ts';
export type {
  Job,
  JobHandle,
  JobOutcome,
  JobQuestion,
  CloseReason,
  SerializedCall,
  Service,
} from './server/call/background-job.ts';
export type {
  AroundTool,
  ExtensionMethod,
  ExtensionNotification,
  LegacyForm,
  PartOfWhole,
  Listen,
  Listening,
  ServerExtension,
} from './server/extension.ts';
export type { AddToTool, ToolAddition } from './server/define/tool-addition.ts';
export type { Audience } from './server/change-feed.ts';
export type { IdempotencyOptions } from './features/idempotency/idempotency.ts';
export type { ListSource } from './server/lists/list-source.ts';
export { type LogEntry, type Logger, stderrLogger } from './server/log/log.ts';
export type {
  QuestionEnd,
  ObservedQuestion,
  QuestionWatch,
  ObservedRequest,
  Observer,
  RequestEnd,
  RequestOutcome,
  RequestWatch,
} from './server/observer.ts';
export type {
  Middleware,
  MiddlewareOptions,
  Next,
  Operation,
  Outcome,
  ReceivedRequest,
} from './server/call/operation.ts';
export { type Replaceable, replaceable } from './server/replaceable.ts';
export { insufficientScope } from './features/scopes/insufficient-scope.ts';
export { isServer } from './server/server-handle.ts';
export type { Offered, OfferedResources, Server } from './server/server.ts';
export type { StuckHandler } from './server/call/timeout.ts';
export { ToolError } from './server/call/tool-error.ts';
