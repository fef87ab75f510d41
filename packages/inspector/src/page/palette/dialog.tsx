import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { signal } from '@preact/signals';

/** Which window floats above the page. */
export const floating = signal<'palette' | 'keys' | undefined>(undefined);

/** Opens the palette. */
export function openPalette(): void {
  floating.value = 'palette';
}

/** A window above the page; Escape and a click beside it close it. */
export function FloatingWindow({ label, children }: { label: string; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once: what is typed next is meant for it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closed before it is gone, it gives the focus back to what had it.
    return () => shown?.close();
  }, []);
  // The browser tells of the end a moment later, and a key that is pressed until then would be lost.
  const close = () => {
    dialog.current?.close();
    floating.value = undefined;
  };
  return (
    <dialog
      ref={dialog}
      class="floating"
      aria-label={label}
      onClose={close}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      {children}
    </dialog>
  );
}
