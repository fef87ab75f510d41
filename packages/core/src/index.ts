export type { Extension } from './extensions/extension.ts';
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
export { type ComposeOptions, compose, type Part } from './server/compose.ts';
export { createServer } from './server/create-server.ts';
export type { Context, Elicited, Question, SampleQuestion } from './server/context.ts';
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
  type TaskSupport,
  type Template,
  type Tool,
  type ToolResult,
  type ToolValue,
  type ToolView,
  template,
  tool,
} from './server/define.ts';
export type { Auth, Entrance, Exchange, Origin, RunningCall } from './server/exchange.ts';
export type { Aside, AsideCall, AsideOutcome, AsideQuestion, EndOfService, KeptCall, Service } from './server/aside.ts';
export type {
  AroundTool,
  ExtensionMethod,
  ExtensionNotification,
  FormerForm,
  Listen,
  Listening,
  ServerExtension,
} from './server/extension.ts';
export type { AddToTool, ToolAddition } from './server/tool-addition.ts';
export type { Audience } from './server/feed.ts';
export type { IdempotencyOptions } from './server/idempotency.ts';
export { type LogEntry, type Logger, stderrLogger } from './server/log.ts';
export type {
  AskedEnd,
  AskedQuestion,
  AskedWatch,
  ObservedRequest,
  Observer,
  RequestEnd,
  RequestOutcome,
  RequestWatch,
} from './server/observer.ts';
export type { Middleware, Next, Operation, Outcome } from './server/operation.ts';
export type { ServerOptions } from './server/options.ts';
export type { Rated, RateCounter, RateLimit } from './server/rate-limit.ts';
export { type Replaceable, replaceable } from './server/replaceable.ts';
export type { Scopes } from './server/scopes.ts';
export { insufficientScope } from './server/scopes-refusal.ts';
export { isServer } from './server/server-face.ts';
export type { Offered, OfferedResources, Server } from './server/server.ts';
export type { StuckHandler } from './server/time-limit.ts';
export { ToolError } from './server/tool-error.ts';
