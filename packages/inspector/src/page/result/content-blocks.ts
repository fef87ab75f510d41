import { isRecord, type Json } from '../form/json.ts';

/** A content block of any result. */
export interface ContentBlock {
  /** Role, in prompt messages. */
  readonly role?: string | undefined;
  readonly text?: string | undefined;
  /** Base64 bytes. */
  readonly data?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly uri?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly isLink: boolean;
  /** Audience, priority and modification time, as annotated. */
  readonly notes?: readonly string[] | undefined;
  /** The raw value of an unknown block. */
  readonly other?: Json | undefined;
}

/** Parses the content of a `tools/call`, `resources/read` or `prompts/get` result from an untrusted server. */
export function parseContent(result: Json): readonly ContentBlock[] {
  if (!isRecord(result)) return [];
  if (Array.isArray(result.content)) return result.content.map((each) => parseBlock(each as Json));
  if (Array.isArray(result.contents)) return result.contents.map((each) => parseResource(each as Json));
  if (Array.isArray(result.messages)) {
    return result.messages.flatMap((message) => {
      if (!isRecord(message)) return [];
      const parts = Array.isArray(message.content) ? message.content : [message.content];
      return parts.map((each) => ({ ...parseBlock(each as Json), role: optionalString(message.role) }));
    });
  }
  return [];
}

function parseBlock(given: Json): ContentBlock {
  if (!isRecord(given)) return { isLink: false, other: given };
  return { ...parseTypedBlock(given), notes: formatAnnotations(given.annotations) };
}

function formatAnnotations(annotations: unknown): readonly string[] {
  if (!isRecord(annotations)) return [];
  const { audience, priority, lastModified } = annotations;
  const people = Array.isArray(audience) ? audience.filter((each) => typeof each === 'string') : [];
  return [
    ...(people.length > 0 ? [`for ${people.join(' and ')}`] : []),
    ...(typeof priority === 'number' ? [`priority ${priority}`] : []),
    ...(typeof lastModified === 'string' ? [`from ${lastModified}`] : []),
  ];
}

function parseTypedBlock(given: Readonly<Record<string, unknown>>): ContentBlock {
  switch (given.type) {
    case 'text':
      return { text: optionalString(given.text) ?? '', isLink: false };
    case 'image':
    case 'audio':
      return {
        data: optionalString(given.data),
        mimeType: optionalString(given.mimeType) ?? `${given.type}/*`,
        isLink: false,
      };
    case 'resource':
      return parseResource(given.resource as Json);
    case 'resource_link':
      return {
        uri: optionalString(given.uri),
        name: optionalString(given.title) ?? optionalString(given.name),
        description: optionalString(given.description),
        mimeType: optionalString(given.mimeType),
        isLink: true,
      };
    default:
      return { isLink: false, other: given as Json };
  }
}

function parseResource(given: Json): ContentBlock {
  if (!isRecord(given)) return { isLink: false, other: given };
  return {
    uri: optionalString(given.uri),
    mimeType: optionalString(given.mimeType),
    text: optionalString(given.text),
    data: optionalString(given.blob),
    isLink: false,
  };
}

function optionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
