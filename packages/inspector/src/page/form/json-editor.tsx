import { useEffect, useRef, useState } from 'preact/hooks';
import type { CodeEditor } from './code-editor.ts';

/** JSON as it is, in an editor that is loaded when it is first wanted; until then in a plain field. */
export function JsonEditor({ text, label, onType }: { text: string; label: string; onType: (text: string) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const [isReady, setReady] = useState(false);
  const typed = useRef(onType);
  typed.current = onType;
  useEffect(() => {
    let isCurrent = true;
    const open = async () => {
      const { openEditor } = await import('./code-editor.ts');
      if (!isCurrent || place.current === null) return;
      editor.current = openEditor(place.current, text, label, (now) => typed.current(now));
      setReady(true);
    };
    // Where it can't be loaded, the plain field stays.
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
      <div ref={place} class="code-place" hidden={!isReady} />
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
