import { useEffect, useRef, useState } from 'preact/hooks';
import { type Json, jsonEquals } from '../../shared/json.ts';
import { Button, FileButton } from '../components/controls.tsx';
import { useForm, useInput } from './field-frame.tsx';
import type { NumberField, RawField, TextField } from './field.ts';

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

/** Text input that grows with its content, with completions and file upload. */
export function TextInput({ field }: { field: TextField }) {
  const { setValue, complete, isLocked } = useForm();
  const attributes = useInput(field);
  const { path, text, format = '', isFile, defaultValue, required, schema } = field;
  const placeholder =
    defaultValue === undefined ? (examples[format] ?? '') : `default: ${JSON.stringify(defaultValue)}`;
  const type = (typed: string) => setValue(path, typed === '' && !required ? undefined : typed);
  const generator = generators[format];
  if (complete !== undefined) return <CompletionInput field={field} />;
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
      {generator === undefined ? null : (
        <Button class="quiet small" disabled={isLocked} onClick={() => setValue(path, generator[1]())}>
          {generator[0]}
        </Button>
      )}
      {isFile ? (
        <FileButton
          class="quiet small file-button"
          accept={typeof schema.contentMediaType === 'string' ? schema.contentMediaType : undefined}
          onFile={(file) => void base64Of(file).then((bytes) => setValue(path, bytes))}
        >
          file …
        </FileButton>
      ) : null}
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error("The file can't be read")));
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

// Debounces completion requests while typing.
const completionDelay = 120;

function CompletionInput({ field }: { field: TextField }) {
  const { setValue, complete } = useForm();
  const attributes = useInput(field);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const { path, text, required } = field;
  const key = path.join('/');
  // Completions may depend on the other arguments.
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
          setValue(path, event.currentTarget.value === '' && !required ? undefined : event.currentTarget.value)
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
            <button type="button" key={each} class="tag offer" onClick={() => setValue(path, each)}>
              {each}
            </button>
          ))}
        </div>
      ) : null}
    </>
  );
}

/** Number input. The text stays as typed, such as `1.0`, while it means the same number. */
export function NumberInput({ field }: { field: NumberField }) {
  const { setValue } = useForm();
  const attributes = useInput(field);
  const [typed, setTyped] = useState(field.text);
  const text = parseNumber(typed) === field.value ? typed : field.text;
  return (
    <input
      {...attributes}
      class="input mono short"
      inputMode={field.isInteger ? 'numeric' : 'decimal'}
      value={text}
      placeholder={placeholderOf(field)}
      autocomplete="off"
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        setValue(field.path, parseNumber(event.currentTarget.value));
      }}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (by === 0 || typeof (field.value ?? 0) !== 'number') return;
        event.preventDefault();
        setValue(field.path, ((field.value ?? 0) as number) + by);
      }}
    />
  );
}

function placeholderOf({ defaultValue, isInteger }: NumberField): string {
  if (defaultValue !== undefined) return `default: ${JSON.stringify(defaultValue)}`;
  return isInteger ? 'whole number' : 'number';
}

/** Raw JSON input. */
export function RawInput({ field }: { field: RawField }) {
  const { setValue } = useForm();
  const attributes = useInput(field);
  const [typed, setTyped] = useState(field.text);
  const read = parseJson(typed);
  const isOwn = 'problem' in read || jsonEquals(read.value, field.value);
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
          const now = parseJson(event.currentTarget.value);
          if (!('problem' in now)) setValue(field.path, now.value);
        }}
      />
      {isOwn && 'problem' in read ? (
        <p class="bad small">Not JSON yet: {read.problem}. The previous value stays.</p>
      ) : null}
      {field.isInvalid ? <p class="note small">The value does not match the schema.</p> : null}
    </>
  );
}

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Parses a number input; text that is no number stays text, so that nothing is lost. */
export function parseNumber(text: string): Json | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const read = Number(typed);
  return numberPattern.test(typed) && Number.isFinite(read) ? read : text;
}

/** Parses a raw JSON input. */
export function parseJson(text: string): { value: Json | undefined } | { problem: string } {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
