import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

/** A word that opens a list of things to do; Escape, and going elsewhere, close it. */
export function Menu({
  id,
  label,
  says,
  children,
}: {
  id?: string;
  /** What it is called, where that is more than it says. */
  label?: string;
  says: string;
  /** The list, given how to close it. */
  children: (close: () => void) => ComponentChildren;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    menu.current?.removeAttribute('open');
    menu.current?.querySelector('summary')?.focus();
  };
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        event.stopPropagation();
        close();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget))
          menu.current?.removeAttribute('open');
      }}
    >
      <summary class="quiet" id={id} role="button" aria-label={label}>
        <span aria-live="polite">{says}</span>
      </summary>
      <div class="menu-items">{children(close)}</div>
    </details>
  );
}
