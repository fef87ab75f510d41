import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { signal } from '@preact/signals';

/** The open dialog. */
export const openDialog = signal<'palette' | 'keys' | undefined>(undefined);

/** Opens the command palette. */
export function openPalette(): void {
  openDialog.value = 'palette';
}

/** Modal dialog; Escape and a click on the backdrop close it. */
export function Dialog({ label, children }: { label: string; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // In a layout effect: the next keystroke belongs to the dialog.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closing before removal restores focus.
    return () => shown?.close();
  }, []);
  // The close event comes late: keys pressed until then would be lost.
  const close = () => {
    dialog.current?.close();
    openDialog.value = undefined;
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
