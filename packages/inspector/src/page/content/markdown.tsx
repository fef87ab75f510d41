import { useEffect, useRef, useState } from 'preact/hooks';

/** Untrusted Markdown, sanitized; plain text until the parser is loaded. Remote images are not fetched. */
export function Markdown({ text }: { text: string }) {
  const container = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const show = async () => {
      const { safeMarkdown } = await import('./safe-markdown.ts');
      if (isCurrent) container.current?.replaceChildren(safeMarkdown(text));
    };
    show().catch(() => setFailed(true));
    return () => {
      isCurrent = false;
    };
  }, [text]);
  // The content is set by hand, so Preact must not re-render it.
  return (
    <div class="markdown" ref={container} key={failed ? 'text' : text}>
      <pre>{text}</pre>
    </div>
  );
}
