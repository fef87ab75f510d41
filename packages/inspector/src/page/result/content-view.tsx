import { useState } from 'preact/hooks';
import { isRecord, type Json } from '../form/json.ts';
import { BytesView } from './bytes-view.tsx';
import type { Content } from './content-blocks.ts';
import { JsonTree } from './json-tree.tsx';
import { Markdown } from './markdown.tsx';
import { ask } from '../model/api.ts';
import { chosenConnection } from '../model/selectors.ts';
import { goTo, place } from '../model/route.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { theWorld } from '../model/store.ts';

const longText = 20_000;

/** A piece of content: text, picture, sound, link or file. Markup of strangers is shown as text. */
export function ContentView({ content }: { content: Content }) {
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

function ResourceLink({ content: { uri = '', name } }: { content: Content }) {
  if (/^https?:/i.test(uri)) {
    return (
      <a href={uri} target="_blank" rel="noopener noreferrer">
        {name ?? uri}
      </a>
    );
  }
  return (
    <button type="button" class="link" title={uri} onClick={() => void readLinked(uri)}>
      {name ?? uri}
    </button>
  );
}

function Text({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const isCut = text.length > longText && !whole;
  return (
    <>
      <pre class="text">{isCut ? text.slice(0, longText) : text}</pre>
      {isCut ? (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          … {text.length - longText} more characters
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
        ▲ {type === undefined ? 'This content has no type.' : `This page does not know content of the type ${type}.`} It
        is shown as it came.
      </p>
      <JsonTree value={content} />
    </>
  );
}

/** Goes to a resource, which is read at once: whoever follows a link wants to see it. */
async function readLinked(uri: string): Promise<void> {
  const connection = openedRecording.value === undefined ? chosenConnection(theWorld()) : undefined;
  goTo({ server: place.value.server, section: 'resources', name: uri });
  if (connection?.status.is !== 'connected') return;
  // What goes wrong is told there.
  await ask('call', { connection: connection.id, method: 'resources/read', params: { uri } }).catch(() => {});
}
