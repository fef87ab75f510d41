import type { Connection } from '../../shared/connections.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { shownName } from '../model/shown-name.ts';
import { useWorld } from '../model/state.ts';
import type { Call } from '../model/world.ts';
import { duration, timeOfDay } from '../parts/figures.ts';
import { Menu } from '../parts/menu.tsx';

/** Chooses what a call is compared with: another one of the same, or the same on another connection. */
export function CompareMenu({
  call,
  all,
  onCall,
  onConnection,
}: {
  call: Call;
  all: readonly Call[];
  onCall: (call: string) => void;
  onConnection: (connection: string) => void;
}) {
  const { connections } = useWorld('connections');
  const others = openedRecording.value === undefined ? othersThan(call, connections.values()) : [];
  if (all.length < 2 && others.length === 0) {
    return (
      <button type="button" class="quiet" disabled title="There is no other call, and no other server.">
        Compare
      </button>
    );
  }
  return (
    <Menu says="Compare" label="Compare with another call">
      {(close) => {
        const chosen = (choose: () => void) => () => {
          close();
          choose();
        };
        return (
          <>
            {all.map((each, index) =>
              each === call ? null : (
                <button type="button" key={each.start.call} onClick={chosen(() => onCall(each.start.call))}>
                  with call {index + 1}{' '}
                  <span class="dim small">
                    {timeOfDay(each.start.at)}
                    {each.end === undefined ? '' : ` · ${duration(each.end.ms)}`}
                  </span>
                </button>
              ),
            )}
            {others.map((each) => (
              <button type="button" key={each.id} onClick={chosen(() => onConnection(each.id))}>
                call on {shownName(each, connections.values())}{' '}
                <span class="dim small">{each.server?.protocolVersion}</span>
              </button>
            ))}
          </>
        );
      }}
    </Menu>
  );
}

function othersThan({ start }: Call, connections: Iterable<Connection>): readonly Connection[] {
  return [...connections].filter(({ id, status }) => id !== start.connection && status.is === 'connected');
}
