import type { ComponentChildren } from 'preact';

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
