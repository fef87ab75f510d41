import type { ComponentChildren, ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';
import { openedRecording } from '../model/route.ts';
import type { RequestState } from './use-request.tsx';

/** A menu button; Escape and losing focus close it. */
export function Menu({
  id,
  label,
  text,
  children,
}: {
  id?: string;
  /** Accessible name, if it differs from the text. */
  label?: string;
  text: string;
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
        <span aria-live="polite">{text}</span>
      </summary>
      <div class="menu-items">{children(close)}</div>
    </details>
  );
}

/** A tab list; the arrow keys move between tabs. */
export function Tabs<Name extends string>({
  label,
  names,
  chosen,
  onChoose,
  children,
}: {
  label: string;
  names: readonly (readonly [name: Name, text: ComponentChildren])[];
  chosen: Name;
  onChoose: (name: Name) => void;
  children?: ComponentChildren;
}) {
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const index = (names.findIndex(([name]) => name === chosen) + by + names.length) % names.length;
    const next = names[index]?.[0];
    if (next === undefined) return;
    onChoose(next);
    const buttons = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=tab]');
    buttons[index]?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} class="line" onKeyDown={step}>
        {names.map(([name, text]) => (
          <button
            type="button"
            role="tab"
            key={name}
            aria-selected={name === chosen}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {text}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}

/** Disables its children while a recording is shown. */
export function LiveOnly({ children }: { children: ComponentChildren }) {
  return (
    <fieldset class="live-only" disabled={openedRecording.value !== undefined}>
      {children}
    </fieldset>
  );
}

/** A button. With `pending` it sends a request when clicked, and is disabled while one is running. */
export function Button({
  class: name = 'button',
  isPrimary = false,
  pending,
  run,
  disabled = false,
  ...attributes
}: Omit<ComponentProps<'button'>, 'class' | 'disabled'> & {
  class?: string;
  isPrimary?: boolean;
  pending?: RequestState;
  run?: () => Promise<unknown>;
  disabled?: boolean;
}) {
  return (
    <button
      type="button"
      class={isPrimary ? `${name} primary` : name}
      disabled={disabled || pending?.busy === true}
      {...(run !== undefined && { onClick: () => pending?.run(run) })}
      {...attributes}
    />
  );
}

/** A button that shows further entries of a long list; absent if there are none. */
export function MoreButton({ count, onClick }: { count: number; onClick: () => void }) {
  if (count <= 0) return null;
  return (
    <Button class="quiet" onClick={onClick}>
      {count} more …
    </Button>
  );
}

/** A checkbox with its label. */
export function Checkbox({
  label,
  title,
  class: name,
  onChange,
  ...attributes
}: {
  label: ComponentChildren;
  title?: string;
  class?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label title={title} class={name}>
      <input type="checkbox" {...attributes} onChange={(event) => onChange(event.currentTarget.checked)} /> {label}
    </label>
  );
}

/** A select of values and their texts. */
export function Select<Value extends string | number>({
  class: name = 'input',
  options,
  onChange,
  ...attributes
}: {
  id?: string;
  class?: string;
  'aria-label'?: string;
  disabled?: boolean;
  value: Value;
  options: readonly (readonly [value: Value, text: ComponentChildren])[];
  onChange: (value: Value, select: HTMLSelectElement) => void;
}) {
  return (
    <select
      class={name}
      {...attributes}
      onChange={({ currentTarget: select }) => {
        const chosen = options[select.selectedIndex];
        if (chosen !== undefined) onChange(chosen[0], select);
      }}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A button that reads a file of the user. */
export function FileButton({
  class: name = 'button',
  onFile,
  children,
  ...attributes
}: {
  class?: string;
  'aria-label'?: string;
  accept?: string | undefined;
  onFile: (file: File) => void;
  children: ComponentChildren;
}) {
  return (
    <label class={name}>
      {children}
      <input
        type="file"
        class="hidden"
        {...attributes}
        onChange={({ currentTarget: { files } }) => {
          const [file] = files ?? [];
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}
