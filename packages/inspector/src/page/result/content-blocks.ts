import { isRecord, type Json } from '../form/json.ts';

/** A piece of content of any kind of result. */
export interface Content {
  /** Who says it, in prompts. */
  readonly role?: string | undefined;
  readonly text?: string | undefined;
  /** Bytes in Base64. */
  readonly data?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly uri?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly isLink: boolean;
  /** Whom it is for, how important it is, from when it is, as the server says. */
  readonly notes?: readonly string[] | undefined;
  /** What it is where none of these are there. */
  readonly other?: Json | undefined;
}

/** The pieces of a result of `tools/call`, `resources/read` or `prompts/get`. All of it is data of a stranger. */
export function contentsOf(result: Json): readonly Content[] {
  if (!isRecord(result)) return [];
  if (Array.isArray(result.content)) return result.content.map((each) => contentOf(each as Json));
  if (Array.isArray(result.contents)) return result.contents.map((each) => resourceOf(each as Json));
  if (Array.isArray(result.messages)) {
    return result.messages.flatMap((message) => {
      if (!isRecord(message)) return [];
      const parts = Array.isArray(message.content) ? message.content : [message.content];
      return parts.map((each) => ({ ...contentOf(each as Json), role: text(message.role) }));
    });
  }
  return [];
}

function contentOf(given: Json): Content {
  if (!isRecord(given)) return { isLink: false, other: given };
  return { ...pieceOf(given), notes: notesOf(given.annotations) };
}

function notesOf(annotations: unknown): readonly string[] {
  if (!isRecord(annotations)) return [];
  const { audience, priority, lastModified } = annotations;
  const people = Array.isArray(audience) ? audience.filter((each) => typeof each === 'string') : [];
  return [
    ...(people.length > 0 ? [`for ${people.join(' and ')}`] : []),
    ...(typeof priority === 'number' ? [`priority ${priority}`] : []),
    ...(typeof lastModified === 'string' ? [`from ${lastModified}`] : []),
  ];
}

function pieceOf(given: Readonly<Record<string, unknown>>): Content {
  switch (given.type) {
    case 'text':
      return { text: text(given.text) ?? '', isLink: false };
    case 'image':
    case 'audio':
      return { data: text(given.data), mimeType: text(given.mimeType) ?? `${given.type}/*`, isLink: false };
    case 'resource':
      return resourceOf(given.resource as Json);
    case 'resource_link':
      return {
        uri: text(given.uri),
        name: text(given.title) ?? text(given.name),
        description: text(given.description),
        mimeType: text(given.mimeType),
        isLink: true,
      };
    default:
      return { isLink: false, other: given as Json };
  }
}

function resourceOf(given: Json): Content {
  if (!isRecord(given)) return { isLink: false, other: given };
  return {
    uri: text(given.uri),
    mimeType: text(given.mimeType),
    text: text(given.text),
    data: text(given.blob),
    isLink: false,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
