import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../components/controls.tsx';
import { formatBytes } from '../components/format.ts';

// SVG runs no scripts in an img, nor as a data URL in its own tab; as a blob it would share the page's origin. Other types are only
// offered for download.
const pictures = /^image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)$/i;
const drawing = /^image\/svg\+xml$/i;
const sounds = /^audio\/[\w.+-]+$/i;

interface Bytes {
  readonly data: string;
  readonly mimeType: string;
  /** URI of the resource, if any. */
  readonly name: string | undefined;
}

/** Bytes: as image or audio if possible, and always as a download. */
export function BytesView({ data, mimeType, name }: Bytes) {
  const blob = useMemo(() => decodeBlob(data, mimeType), [data, mimeType]);
  const address = useMemo(() => (blob === undefined ? undefined : URL.createObjectURL(blob)), [blob]);
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address]);
  if (blob === undefined || address === undefined) return <p class="bad">The data is not valid Base64.</p>;
  const file = fileName(name, mimeType);
  return (
    <figure>
      {pictures.test(mimeType) ? (
        <Picture
          address={drawing.test(mimeType) ? `data:image/svg+xml;base64,${data}` : address}
          name={name ?? 'Picture'}
        />
      ) : null}
      {sounds.test(mimeType) ? <audio controls src={address} aria-label={`Sound ${name ?? ''}`.trim()} /> : null}
      <figcaption class="dim small">
        {mimeType} · {formatBytes(blob.size)} ·{' '}
        <a href={address} download={file}>
          save
        </a>
      </figcaption>
    </figure>
  );
}

function Picture({ address, name }: { address: string; name: string }) {
  const [sides, setSides] = useState<readonly [width: number, height: number] | undefined>();
  const [isFitted, setFitted] = useState(true);
  const [isTruncated, setCut] = useState(false);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p class="bad">The browser can’t display this image.</p>;
  return (
    <>
      <div class={`picture ${isFitted ? 'is-fitted' : ''}`}>
        <img
          src={address}
          alt={name}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight, clientWidth } }) => {
            setSides([naturalWidth, naturalHeight]);
            setCut(naturalWidth > clientWidth);
          }}
          onError={() => setBroken(true)}
        />
      </div>
      <p class="dim small">
        {sides === undefined ? null : `${sides[0]} × ${sides[1]} `}
        {isTruncated ? (
          <Button class="quiet" onClick={() => setFitted(!isFitted)}>
            {isFitted ? 'Full size' : 'Fit'}
          </Button>
        ) : null}
      </p>
    </>
  );
}

/** Last segment of a URI, or a name derived from the type. */
function fileName(name: string | undefined, mimeType: string): string {
  const last = name
    ?.split(/[?#]/)[0]
    ?.split('/')
    .findLast((part) => part !== '');
  if (last !== undefined) return last;
  const [kind = 'file', type = ''] = mimeType.split('/');
  const ending = /^[a-z0-9]+/i.exec(type)?.[0];
  return ending === undefined ? kind : `${kind}.${ending}`;
}

function decodeBlob(data: string, mimeType: string): Blob | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    const isShown = (pictures.test(mimeType) && !drawing.test(mimeType)) || sounds.test(mimeType);
    return new Blob([bytes], { type: isShown ? mimeType : 'application/octet-stream' });
  } catch {
    return undefined;
  }
}
