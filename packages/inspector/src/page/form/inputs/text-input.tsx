import { useEffect, useRef, useState } from 'preact/hooks';
import type { TextField } from '../field.ts';
import { useInput } from '../field-frame.tsx';
import { useForm } from '../form-context.ts';

const examples: Readonly<Record<string, string>> = {
  date: '2026-07-28',
  'date-time': '2026-07-28T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT5M',
  email: 'name@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
};

const fresh: Readonly<Record<string, readonly [word: string, make: () => string]>> = {
  date: ['today', () => new Date().toISOString().slice(0, 10)],
  'date-time': ['now', () => new Date().toISOString()],
  uuid: ['new', () => crypto.randomUUID()],
};

/** A text: as many lines as it needs, with completions where the server has some, from a file where bytes are wanted. */
export function TextInput({ field }: { field: TextField }) {
  const { put, complete, isLocked } = useForm();
  const attributes = useInput(field);
  const { path, text, format = '', isFile, byDefault, required, schema } = field;
  const placeholder = byDefault === undefined ? (examples[format] ?? '') : `default: ${JSON.stringify(byDefault)}`;
  const type = (typed: string) => put(path, typed === '' && !required ? undefined : typed);
  const maker = fresh[format];
  if (complete !== undefined) return <CompletedInput field={field} />;
  return (
    <div class="line tight">
      <GrowingText
        text={text}
        placeholder={placeholder}
        isMono={format !== '' || isFile}
        attributes={attributes}
        isShort={format !== ''}
        onType={type}
      />
      {maker === undefined ? null : (
        <button type="button" class="quiet small" disabled={isLocked} onClick={() => put(path, maker[1]())}>
          {maker[0]}
        </button>
      )}
      {isFile ? (
        <label class="quiet small file-button">
          file …
          <input
            type="file"
            class="hidden"
            accept={typeof schema.contentMediaType === 'string' ? schema.contentMediaType : undefined}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file !== undefined) void base64Of(file).then((bytes) => put(path, bytes));
            }}
          />
        </label>
      ) : null}
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(',') + 1);
}

function GrowingText({
  text,
  placeholder,
  isMono,
  isShort,
  attributes,
  onType,
}: {
  text: string;
  placeholder: string;
  isMono: boolean;
  isShort: boolean;
  attributes: ReturnType<typeof useInput>;
  onType: (text: string) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight + 2, 320)}px`;
  }, [text]);
  if (isShort) {
    return (
      <input
        {...attributes}
        class="input mono"
        value={text}
        placeholder={placeholder}
        spellcheck={false}
        onInput={(event) => onType(event.currentTarget.value)}
      />
    );
  }
  return (
    <textarea
      {...attributes}
      ref={area}
      class={`input ${isMono ? 'mono' : ''}`}
      rows={1}
      value={text}
      placeholder={placeholder}
      onInput={(event) => onType(event.currentTarget.value)}
    />
  );
}

// Long enough not to ask at each key of a quick hand.
const pause = 120;

function CompletedInput({ field }: { field: TextField }) {
  const { put, complete } = useForm();
  const attributes = useInput(field);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const { path, text, required } = field;
  const key = path.join('/');
  // What is there to choose may depend on what is filled in elsewhere.
  const whileEmpty = text === '' ? complete : undefined;
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      complete?.(path, text)
        .then((values) => isCurrent && setOffered(values))
        .catch(() => isCurrent && setOffered([]));
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, text, whileEmpty]);
  return (
    <>
      <input
        {...attributes}
        class="input"
        list={`${attributes.id}-offered`}
        value={text}
        autocomplete="off"
        onInput={(event) =>
          put(path, event.currentTarget.value === '' && !required ? undefined : event.currentTarget.value)
        }
      />
      <datalist id={`${attributes.id}-offered`}>
        {offered.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {offered.length > 0 && !offered.includes(text) ? (
        <div class="line small offers">
          {offered.slice(0, 8).map((each) => (
            <button type="button" key={each} class="tag offer" onClick={() => put(path, each)}>
              {each}
            </button>
          ))}
        </div>
      ) : null}
    </>
  );
}
