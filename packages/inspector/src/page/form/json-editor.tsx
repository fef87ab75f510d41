import type { Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Draft, withText } from '../model/drafts.ts';
import type { CodeEditor } from './code-editor.ts';

/** JSON editor that loads on first use; a plain textarea until then. */
export function JsonEditor({ text, label, onType }: { text: string; label: string; onType: (text: string) => void }) {
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const [isReady, setReady] = useState(false);
  const typed = useRef(onType);
  typed.current = onType;
  useEffect(() => {
    let isCurrent = true;
    const open = async () => {
      const { openEditor } = await import('./code-editor.ts');
      if (!isCurrent || container.current === null) return;
      editor.current = openEditor(container.current, text, label, (now) => typed.current(now));
      setReady(true);
    };
    // If loading fails, the textarea stays.
    open().catch(() => undefined);
    return () => {
      isCurrent = false;
      editor.current?.close();
      editor.current = undefined;
    };
  }, []);
  useEffect(() => editor.current?.show(text), [text]);
  return (
    <div class="json-editor">
      <div ref={container} class="code-editor" hidden={!isReady} />
      {isReady ? null : (
        <textarea
          class="input mono"
          rows={8}
          aria-label={label}
          spellcheck={false}
          value={text}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

/** A draft as JSON, with its parse error. */
export function JsonDraft({ draft, label }: { draft: Signal<Draft>; label: string }) {
  const { text, parseError } = draft.value;
  return (
    <>
      <JsonEditor text={text} label={label} onType={(typed) => (draft.value = withText(draft.value, typed))} />
      {parseError === undefined ? null : (
        <p class="bad small" role="alert">
          {parseError}
        </p>
      )}
    </>
  );
}
