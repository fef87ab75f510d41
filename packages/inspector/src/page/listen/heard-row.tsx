import type { Connection } from '../../shared/connections.ts';
import { useWorld } from '../model/state.ts';
import type { Heard } from '../model/heard.ts';
import { timeOfDay } from '../parts/figures.ts';
import { ListDifference } from './list-difference.tsx';
import { ListSummary } from './list-summary.tsx';
import { readingsOf } from './readings-of.ts';
import { ResourceDifference } from './resource-difference.tsx';
import { ResourceSummary } from './resource-summary.tsx';

/** One change: when, of what, in short what it was; opened, where it differs. */
export function HeardRow({
  heard,
  connection,
  isOpen,
  isReachable,
  onFocus,
  onToggle,
}: {
  heard: Heard;
  connection: Connection;
  isOpen: boolean;
  isReachable: boolean;
  onFocus: () => void;
  onToggle: () => void;
}) {
  const world = useWorld('calls', 'work');
  const readings = heard.is === 'resource' ? readingsOf(world, heard) : undefined;
  return (
    <li>
      <button
        type="button"
        class="entry-row heard-row"
        aria-expanded={isOpen}
        tabIndex={isReachable ? 0 : -1}
        onFocus={onFocus}
        onClick={onToggle}
      >
        <span class="turn" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        <span class="dim mono small">{timeOfDay(heard.at)}</span>
        <span class="heard-what">{heard.is === 'list' ? `list of ${heard.what}` : 'resource'}</span>
        <span class="cut">
          {heard.is === 'list' ? <ListSummary heard={heard} /> : null}
          {heard.is === 'resource' && readings !== undefined ? (
            <ResourceSummary uri={heard.uri} readings={readings} />
          ) : null}
        </span>
        <span class="dim small">{heard.times > 1 ? `heard ${heard.times} times` : ''}</span>
      </button>
      {isOpen ? (
        <div class="heard-detail">
          {heard.is === 'list' ? <ListDifference heard={heard} connection={connection} /> : null}
          {heard.is === 'resource' && readings !== undefined ? (
            <ResourceDifference heard={heard} readings={readings} connection={connection} />
          ) : null}
        </div>
      ) : null}
    </li>
  );
}
