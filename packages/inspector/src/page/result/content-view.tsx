import { useState } from 'preact/hooks';
import { isRecord, type Json } from '../form/json.ts';
import { BytesView } from './bytes-view.tsx';
import type { ContentBlock } from './content-blocks.ts';
import { JsonTree } from './json-tree.tsx';
import { Markdown } from './markdown.tsx';
import { request } from '../model/api.ts';
import { selectedConnection } from '../model/selectors.ts';
import { navigate, route } from '../model/route.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { getAppState } from '../model/store.ts';

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
    <button type="button" class="link" title={uri} onClick={() => void openLinkedResource(uri)}>
      {name ?? uri}
    </button>
  );
}

function Text({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const isCut = text.length > maxTextLength && !whole;
  return (
    <>
      <pre class="text">{isCut ? text.slice(0, maxTextLength) : text}</pre>
      {isCut ? (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          … {text.length - maxTextLength} more characters
        </button>
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
