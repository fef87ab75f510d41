import { useState } from 'preact/hooks';
import type { Json } from '../../shared/json.ts';
import { Button, MoreButton } from '../components/controls.tsx';

const entriesPerPage = 100;
const maxTextLength = 500;

/** Collapsible JSON tree; collapsed nodes are not rendered. `depth`: initially expanded levels. */
export function JsonTree({ value, depth = 2, name }: { value: Json | undefined; depth?: number; name?: string }) {
  return (
    <div class="tree mono">
      <Node value={value} depth={depth} name={name} />
    </div>
  );
}

function Node({ value, depth, name }: { value: Json | undefined; depth: number; name?: string | undefined }) {
  const [open, setOpen] = useState(depth > 0);
  const [most, setMost] = useState(entriesPerPage);
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="leaf">
        <Name name={name} />
        <Leaf value={value} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  if (entries.length === 0) {
    return (
      <div class="leaf">
        <Name name={name} />
        <span class="dim">{isList ? '[]' : '{}'}</span>
      </div>
    );
  }
  return (
    <div>
      <button type="button" class="branch" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="turn" aria-hidden="true">
          {open ? '▾' : '▸'}
        </span>
        <Name name={name} />
        <span class="dim">{isList ? `[ ${entries.length} ]` : `{ ${entries.length} }`}</span>
      </button>
      {open ? (
        <div class="inside">
          {entries.slice(0, most).map(([each, inner]) => (
            <Node key={each} name={each} value={inner} depth={depth - 1} />
          ))}
          <MoreButton count={entries.length - most} onClick={() => setMost(most + entriesPerPage * 5)} />
        </div>
      ) : null}
    </div>
  );
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span class="name">{name}: </span>;
}

function Leaf({ value }: { value: string | number | boolean | null | undefined }) {
  const [whole, setWhole] = useState(false);
  if (typeof value === 'string') {
    const isTruncated = value.length > maxTextLength && !whole;
    return (
      <span>
        <span class="json-text">{isTruncated ? `"${value.slice(0, maxTextLength)}` : `"${value}"`}</span>
        {isTruncated ? (
          <Button class="quiet" onClick={() => setWhole(true)}>
            … {value.length - maxTextLength} more characters
          </Button>
        ) : null}
      </span>
    );
  }
  return (
    <span class={typeof value === 'number' ? 'json-number' : 'json-word'}>
      {value === undefined ? 'nothing' : String(value)}
    </span>
  );
}
