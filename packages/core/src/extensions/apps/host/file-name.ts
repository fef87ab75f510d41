import { pageLimits as limits } from '../../../page-limits.ts';
import type { EmbeddedResource, ResourceLink } from '../../../protocol/content.ts';

// Characters that end a path, that some file systems refuse, or that people do not see.
const unsafe = /[/\\:*?"<>|\p{C}\p{Zl}\p{Zp}]+/gu;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name for a file that a view wants downloaded: the last part of what it is called, without anything that leads elsewhere. */
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
