import { useEffect, useRef, useState } from 'preact/hooks';
import type { TextField, NumberField, RawField } from '../field.ts';
import { useInput } from '../field-frame.tsx';
import { useForm } from '../form-context.ts';
import { typedNumber, typedJson } from '../read-field.ts';
import { sameJson } from '../json.ts';

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

const generators: Readonly<Record<string, readonly [word: string, make: () => string]>> = {
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
  const maker = generators[format];
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
const completionDelay = 120;

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
    }, completionDelay);
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

/** A number. What is typed stays as it was typed, such as `1.0`, while it means the same. */
export function NumberInput({ field }: { field: NumberField }) {
  const { put } = useForm();
  const attributes = useInput(field);
  const [typed, setTyped] = useState(field.text);
  const text = typedNumber(typed) === field.value ? typed : field.text;
  return (
    <input
      {...attributes}
      class="input mono short"
      inputMode={field.whole ? 'numeric' : 'decimal'}
      value={text}
      placeholder={placeholderOf(field)}
      autocomplete="off"
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        put(field.path, typedNumber(event.currentTarget.value));
      }}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (by === 0 || typeof (field.value ?? 0) !== 'number') return;
        event.preventDefault();
        put(field.path, ((field.value ?? 0) as number) + by);
      }}
    />
  );
}

function placeholderOf({ byDefault, whole }: NumberField): string {
  if (byDefault !== undefined) return `default: ${JSON.stringify(byDefault)}`;
  return whole ? 'whole number' : 'number';
}

/** Any JSON. */
export function RawInput({ field }: { field: RawField }) {
  const { put } = useForm();
  const attributes = useInput(field);
  const [typed, setTyped] = useState(field.text);
  const read = typedJson(typed);
  const isOwn = 'problem' in read || sameJson(read.value, field.value);
  const text = isOwn ? typed : field.text;
  return (
    <>
      <textarea
        {...attributes}
        class="input mono"
        rows={Math.min(12, Math.max(1, text.split('\n').length))}
        value={text}
        placeholder="JSON"
        spellcheck={false}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          const now = typedJson(event.currentTarget.value);
          if (!('problem' in now)) put(field.path, now.value);
        }}
      />
      {isOwn && 'problem' in read ? (
        <p class="bad small">Not JSON yet: {read.problem}. What was there before counts.</p>
      ) : null}
      {field.unfitting ? <p class="note small">Not what the schema wants here; shown as it is.</p> : null}
    </>
  );
}
