import { useEffect, useRef, useState } from 'preact/hooks';

/** Markdown of a stranger, sanitised; as plain text until what reads it is loaded. Pictures of other places are not fetched. */
export function Markdown({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const show = async () => {
      const { safeMarkdown } = await import('./safe-markdown.ts');
      if (isCurrent) place.current?.replaceChildren(safeMarkdown(text));
    };
    show().catch(() => setFailed(true));
    return () => {
      isCurrent = false;
    };
  }, [text]);
  // What stands in it is changed by hand: it must not be drawn again by whoever draws around it.
  return (
    <div class="markdown" ref={place} key={failed ? 'text' : text}>
      <pre>{text}</pre>
    </div>
  );
}
