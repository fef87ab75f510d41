import { useState } from 'preact/hooks';
import { isRecord, type Json } from '../../shared/json.ts';
import { Button } from '../components/controls.tsx';
import { request } from '../model/api.ts';
import { navigate, openedRecording, route } from '../model/route.ts';
import { selectedConnection } from '../model/selectors.ts';
import { getAppState } from '../model/store.ts';
import { BytesView } from './bytes-view.tsx';
import { JsonTree } from './json-tree.tsx';
import { Markdown } from './markdown.tsx';

const maxTextLength = 20_000;

/** A content block: text, image, audio, link or file. Untrusted markup is shown as text. */
export function ContentView({ content }: { content: ContentBlock }) {
  const { role, text, data, mimeType = '', uri, isLink, other, notes = [] } = content;
  return (
    <div class="content-piece">
      {role === undefined ? null : <p class="role">{role}</p>}
      {uri === undefined ? null : (
        <p class="line small">
          <ResourceLink content={content} />
          <span class="dim">{mimeType}</span>
        </p>
      )}
      {isLink && content.description !== undefined ? <p class="dim">{content.description}</p> : null}
      {text === undefined ? null : /markdown/.test(mimeType) ? <Markdown text={text} /> : <Text text={text} />}
      {data === undefined ? null : <BytesView data={data} mimeType={mimeType} name={uri} />}
      {other === undefined ? null : <UnknownContent content={other} />}
      {notes.length === 0 ? null : <p class="dim small">{notes.join(' · ')}</p>}
    </div>
  );
}

function ResourceLink({ content: { uri = '', name } }: { content: ContentBlock }) {
  if (/^https?:/i.test(uri)) {
    return (
      <a href={uri} target="_blank" rel="noopener noreferrer">
        {name ?? uri}
      </a>
    );
  }
  return (
    <Button class="link" title={uri} onClick={() => void openLinkedResource(uri)}>
      {name ?? uri}
    </Button>
  );
}

function Text({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const isTruncated = text.length > maxTextLength && !whole;
  return (
    <>
      <pre class="text">{isTruncated ? text.slice(0, maxTextLength) : text}</pre>
      {isTruncated ? (
        <Button class="quiet" onClick={() => setWhole(true)}>
          … {text.length - maxTextLength} more characters
        </Button>
      ) : null}
    </>
  );
}

function UnknownContent({ content }: { content: Json }) {
  const type = isRecord(content) && typeof content.type === 'string' ? content.type : undefined;
  return (
    <>
      <p class="note">
        ▲ {type === undefined ? 'This content has no type.' : `Unknown content type ${type}.`} It is shown as it came.
      </p>
      <JsonTree value={content} />
    </>
  );
}

/** Navigates to a linked resource and reads it. */
async function openLinkedResource(uri: string): Promise<void> {
  const connection = openedRecording.value === undefined ? selectedConnection(getAppState()) : undefined;
  navigate({ server: route.value.server, section: 'resources', name: uri });
  if (connection?.status.is !== 'connected') return;
  // The resource page shows the error.
  await request('call', { connection: connection.id, method: 'resources/read', params: { uri } }).catch(() => {});
}

/** A content block of any result. */
interface ContentBlock {
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
