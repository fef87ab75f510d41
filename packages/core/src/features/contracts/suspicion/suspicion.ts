import type { PromptListing, ResourceListing, TemplateListing, ToolListing } from '../../../protocol/listing.ts';
import type { SuspicionReason } from './signals.ts';

/** A sign that a definition tries to steer a model. */
export interface Suspicion {
  /** JSON Pointer into the definition, such as `/inputSchema/properties/note/description`. */
  readonly path: string;
  readonly reason: SuspicionReason;
  /** What is suspicious, one readable sentence without trailing dot. */
  readonly text: string;
  /** The part of the text that was found, escaped and short. */
  readonly excerpt?: string;
}

/** A definition of a server that a model or a host reads. */
export type Definition = ToolListing | ResourceListing | TemplateListing | PromptListing;

/** What is known beside a definition. */
export interface SuspicionContext {
  /** The definition that was accepted before. */
  readonly before?: Definition;
  /** The names of the other tools that the model has, of this server and of others. */
  readonly otherTools?: readonly string[];
}

/** A sign with its weight: one of the threshold is enough, weaker ones only count together. */
export interface Sign extends Suspicion {
  readonly weight: number;
}
