import type { RequestId } from '../../jsonrpc/message.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/identity.ts';
import type { Ability, Root, SampleParams, SampleResult, SamplingMessage } from '../../protocol/questions.ts';
import type { LogLevel } from '../../protocol/logging.ts';
import type { Meta } from '../../protocol/meta.ts';
import type { InferInput, Schema } from '../../schema/infer.ts';
import type { ContextFeatures } from '../define/feature-options.ts';
import type { Auth } from '../peer.ts';

/** The context of a handler besides its arguments: the request, its caller, and functions. Members can be destructured. */
export interface Context extends ContextFeatures {
  readonly method: string;
  /** The request's id; a notification has none. */
  readonly requestId: RequestId | undefined;
  /** The request's `_meta`, as sent. */
  readonly meta: Meta;
  readonly clientInfo: Implementation | undefined;
  readonly clientCapabilities: ClientCapabilities;
  /** The authenticated caller, where the transport knows one. */
  readonly auth: Auth | undefined;
  /** Aborted when the client cancels, the connection goes away, the time limit is reached or the server stops. */
  readonly signal: AbortSignal;
  /** Sends the client a progress notification, if it asked for them. `progress` must grow from call to call. */
  readonly progress: (progress: number, total?: number, message?: string) => void;
  /** Writes to the server's own log, and to the client's if it wants messages of this level. */
  readonly log: (level: LogLevel, data: unknown, logger?: string) => void;
  /**
   * Closes the client's connection during long work: the client reconnects for the response after `retryMs`. No effect
   * if the transport or the client's revision does not support it.
   */
  readonly disconnect: (retryMs?: number) => Promise<void>;
  /** True if the client declared this capability and can be asked now, in its revision. */
  readonly can: (ability: Ability) => boolean;
  /** True if both sides have the extension with this identifier. */
  readonly supports: (extension: string) => boolean;
  /** Asks the user to fill in a form, or to visit a page. */
  readonly elicit: <const S extends Schema = never>(question: Question<S>) => Promise<Elicited<InferInput<S>>>;
  /** Asks the client's model for a completion. */
  readonly sample: (question: SampleQuestion) => Promise<SampleResult>;
  /** Asks for the client's root folders. */
  readonly roots: (question?: { key?: string }) => Promise<Root[]>;
}

/**
 * A form (`schema`: an object whose properties are strings, numbers, booleans or choices) or a page (`url`).
 * `key` names the question where one request asks several; without it they are numbered in the order they're asked.
 */
export type Question<S extends Schema> =
  | { message: string; schema: S; key?: string }
  | { message: string; url: string; key?: string };

/** The user's action on a question, and the form's contents if they accepted. */
export type Elicited<T> = { action: 'accept'; content: T } | { action: 'decline' | 'cancel'; content?: undefined };

/** A question for the client's model. */
export type SampleQuestion = Omit<SampleParams, 'messages'> & {
  /** A text is one message of the user. */
  messages: string | SamplingMessage[];
  key?: string;
};
