import { useEffect, useMemo, useState } from 'preact/hooks';
import { size } from '../components/format.ts';

// Pictures that can hold scripts are harmless in an img, and as data also where somebody opens one by itself: as a blob it would be of
// the page. Anything else is only offered for saving.
const pictures = /^image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)$/i;
const drawing = /^image\/svg\+xml$/i;
const sounds = /^audio\/[\w.+-]+$/i;

interface Bytes {
  readonly data: string;
  readonly mimeType: string;
  /** The address of what they are of, where it has one. */
  readonly name: string | undefined;
}

/** Bytes of a server: as picture or sound where they are one, and in any case to be saved. */
export function BytesView({ data, mimeType, name }: Bytes) {
  const blob = useMemo(() => blobOf(data, mimeType), [data, mimeType]);
  const address = useMemo(() => (blob === undefined ? undefined : URL.createObjectURL(blob)), [blob]);
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address]);
  if (blob === undefined || address === undefined) return <p class="bad">These bytes are not Base64.</p>;
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
        {mimeType} · {size(blob.size)} ·{' '}
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
  const [isCut, setCut] = useState(false);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p class="bad">The browser can’t show this as a picture.</p>;
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
        {isCut ? (
          <button type="button" class="quiet" onClick={() => setFitted(!isFitted)}>
            {isFitted ? 'Full size' : 'Fit'}
          </button>
        ) : null}
      </p>
    </>
  );
}

/** The last part of an address; without one, a name that fits the type. */
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

function blobOf(data: string, mimeType: string): Blob | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    const isShown = (pictures.test(mimeType) && !drawing.test(mimeType)) || sounds.test(mimeType);
    return new Blob([bytes], { type: isShown ? mimeType : 'application/octet-stream' });
  } catch {
    return undefined;
  }
}
