import { pageLimits as limits } from '../../../page-limits.ts';
import { invalidParams } from '../../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../../jsonrpc/message.ts';
import {
  type ContentBlock,
  type EmbeddedResource,
  isContentBlock,
  type ResourceLink,
} from '../../../protocol/content.ts';
import type { AppRequests, ModelContext } from './options.ts';
import { deniedError, notOfferedError } from './app-error.ts';

// Path separators, characters that some file systems reject, and invisible ones.
const unsafe = /[/\\:*?"<>|\p{C}\p{Zl}\p{Zp}]+/gu;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A safe name for a downloaded file: the last part of its name, without anything that leads elsewhere. */
export function safeFileName(content: EmbeddedResource | ResourceLink): string {
  const given = content.type === 'resource_link' ? content.name : lastPart(content.resource.uri);
  const cleaned = given
    .replaceAll(unsafe, '_')
    .replace(/^[.\s_-]+/, '')
    .slice(0, limits.appHost.fileName.value)
    .replace(/[.\s]+$/, '')
    .replace(reserved, '_$&');
  return cleaned === '' ? 'download' : cleaned;
}

function lastPart(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** `ui/open-link`: opens a web address if the person agrees. */
export async function openLink({ openLink: open }: AppRequests, { url }: Params): Promise<object> {
  if (open === undefined) throw notOfferedError('ui/open-link');
  if (typeof url !== 'string' || !URL.canParse(url)) throw invalidParams('"url" must be an address');
  const parsed = new URL(url);
  if (url.length > limits.appHost.link.value)
    throw deniedError(`Links are at most ${limits.appHost.link.value} characters long`);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')
    throw deniedError('Links must begin with https: or http:');
  return toResult(await open(parsed));
}

/** `ui/download-file`: downloads files if the person agrees. */
export async function downloadFile({ download }: AppRequests, { contents }: Params): Promise<object> {
  if (download === undefined) throw notOfferedError('ui/download-file');
  if (!Array.isArray(contents) || contents.length === 0 || !contents.every(isFile)) {
    throw invalidParams('"contents" must be a list of embedded resources and links to resources');
  }
  if (contents.length > limits.appHost.files.value)
    throw deniedError(`At most ${limits.appHost.files.value} files are taken at a time`);
  return toResult(await download(contents.map((content) => ({ name: safeFileName(content), content }))));
}

function isFile(value: unknown): value is EmbeddedResource | ResourceLink {
  if (!isObject(value)) return false;
  if (value.type === 'resource_link') return typeof value.uri === 'string' && typeof value.name === 'string';
  const { resource } = value;
  if (value.type !== 'resource' || !isObject(resource) || typeof resource.uri !== 'string') return false;
  return typeof resource.text === 'string' || typeof resource.blob === 'string';
}

/** `ui/message`: adds a user message. The specification has one block, its package a list. */
export async function sendMessage({ message }: AppRequests, { role, content }: Params): Promise<object> {
  if (message === undefined) throw notOfferedError('ui/message');
  if (role !== 'user') throw invalidParams('"role" must be "user"');
  const blocks = parseBlocks(Array.isArray(content) ? content : [content]);
  if (blocks.length === 0) throw invalidParams('"content" must not be empty');
  return toResult(await message(blocks));
}

/** `ui/update-model-context`: parses what the model is to know. */
export function parseModelContext({ content, structuredContent }: Params): ModelContext {
  if (content !== undefined && !Array.isArray(content)) throw invalidParams('"content" must be a list of blocks');
  if (structuredContent !== undefined && !isObject(structuredContent)) {
    throw invalidParams('"structuredContent" must be an object');
  }
  return {
    ...(content !== undefined && { content: parseBlocks(content) }),
    ...(structuredContent !== undefined && { structuredContent }),
  };
}

function parseBlocks(content: readonly unknown[]): ContentBlock[] {
  if (content.every(isContentBlock)) return [...content];
  throw invalidParams('"content" must be blocks of text, images, sounds, resources or links to resources');
}

/** `sampling/createMessage`: the host's model generates something if the person agrees. */
export async function sample(requests: AppRequests, params: Params, signal: AbortSignal): Promise<object> {
  if (requests.sample === undefined) throw notOfferedError('sampling/createMessage');
  if (!Array.isArray(params.messages)) throw invalidParams('"messages" must be a list');
  if ((params.tools !== undefined || params.toolChoice !== undefined) && requests.sampleTools !== true) {
    throw deniedError('This host lets its model use no tools for views');
  }
  return requests.sample(params, signal);
}

function toResult(isDone: boolean): object {
  return isDone ? {} : { isError: true };
}
