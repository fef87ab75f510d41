import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

/** A menu button; Escape and losing focus close it. */
export function Menu({
  id,
  label,
  says,
  children,
}: {
  id?: string;
  /** Accessible name, if it differs from the text. */
  label?: string;
  says: string;
  /** Renders the items, given a function that closes the menu. */
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
