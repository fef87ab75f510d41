import { toBase64 } from '../runtime/base64.ts';
import type { Described } from './identity.ts';
import type { Meta } from './meta.ts';

/** The author of a message. */
export type Role = 'user' | 'assistant';

/** Hints about a block or resource: its audience, its priority and when it was last modified. */
export interface Annotations {
  audience?: Role[];
  /** 0 (optional) to 1 (required). */
  priority?: number;
  /** ISO 8601. */
  lastModified?: string;
}

interface Block {
  annotations?: Annotations;
  _meta?: Meta;
}

/** A block of text. */
export interface TextContent extends Block {
  type: 'text';
  text: string;
}

/** A picture; `data` is base64. */
export interface ImageContent extends Block {
  type: 'image';
  data: string;
  mimeType: string;
}

/** A sound; `data` is base64. */
export interface AudioContent extends Block {
  type: 'audio';
  data: string;
  mimeType: string;
}

/** A resource with its contents, as a block. */
export interface EmbeddedResource extends Block {
  type: 'resource';
  resource: ResourceContents;
}

/** The address of a resource that the client may read, as a block. */
export interface ResourceLink extends Block, Described {
  type: 'resource_link';
  uri: string;
  name: string;
  mimeType?: string;
  size?: number;
}

/** A content block of a result or message: text, an image, audio, a resource or a link to one. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

/** A resource that was read as text. */
export interface TextResourceContents {
  uri: string;
  mimeType?: string;
  text: string;
  _meta?: Meta;
}

/** A resource that was read as bytes; `blob` is base64. */
export interface BlobResourceContents {
  uri: string;
  mimeType?: string;
  blob: string;
  _meta?: Meta;
}

/** The contents of a resource: text, or bytes in base64. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

const blockTypes = new Set<unknown>(['text', 'image', 'audio', 'resource', 'resource_link']);

/** True for a block of content, by its type. */
export function isContentBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && blockTypes.has((value as { type?: unknown }).type);
}

/** Creates a block of text. */
export function text(value: string): TextContent {
  return { type: 'text', text: value };
}

/** Creates an image block, from bytes or from base64. */
export function image(data: Uint8Array | string, mimeType: string): ImageContent {
  return { type: 'image', data: toBase64Text(data), mimeType };
}

/** Creates an audio block, from bytes or from base64. */
export function audio(data: Uint8Array | string, mimeType: string): AudioContent {
  return { type: 'audio', data: toBase64Text(data), mimeType };
}

/** Creates a link that the host may follow with `resources/read`. */
export function resourceLink(link: Omit<ResourceLink, 'type'>): ResourceLink {
  return { type: 'resource_link', ...link };
}

/** Embeds a resource with its contents. */
export function embeddedResource(resource: ResourceContents): EmbeddedResource {
  return { type: 'resource', resource };
}

/** Encodes bytes as base64; a string must be base64 already. */
export function toBase64Text(data: Uint8Array | string): string {
  return typeof data === 'string' ? data : toBase64(data);
}
