import type { World } from '../model/world.ts';
import type { RecordingFile } from '../../shared/requests.ts';
import { shownName } from '../model/shown-name.ts';
import { liveWorld } from '../model/state.ts';
import { readRecordings } from './recordings.ts';
import { type SessionName, sessionNamed, sessionText } from './session-name.ts';

/** Chooses a session: of a connection, or in a recording. */
export function SessionChooser({
  label,
  id,
  name,
  files,
  onChoose,
}: {
  label: string;
  id: string;
  name: SessionName | undefined;
  files: readonly RecordingFile[];
  onChoose: (name: SessionName | undefined) => void;
}) {
  const read = readRecordings.value;
  // Reading one leaves it where it was.
  const recorded = [...new Set([...files.map(({ file }) => file), ...read.keys()])];
  const value = name === undefined ? '' : sessionText(name);
  return (
    <label class="session-chooser" for={id}>
      <span class="dim small">{label}</span>
      <select
        id={id}
        class="input"
        value={value}
        onChange={(event) => onChoose(sessionNamed(event.currentTarget.value))}
      >
        <option value="">Choose a session …</option>
        <optgroup label="Now">
          <Sessions world={liveWorld()} />
        </optgroup>
        <optgroup label="Recordings">
          {recorded.map((file) => {
            const world = read.get(file);
            return world === undefined ? (
              <option key={file} value={sessionText({ label: name?.file === file ? name.label : '', file })}>
                {file}
              </option>
            ) : (
              <Sessions key={file} world={world} file={file} />
            );
          })}
        </optgroup>
      </select>
    </label>
  );
}

function Sessions({ world, file }: { world: World; file?: string }) {
  return (
    <>
      {[...world.connections.values()].map((connection) => (
        <option key={connection.id} value={sessionText({ label: connection.label, file })}>
          {shownName(connection, world.connections.values())}
          {connection.server === undefined ? '' : `, ${connection.server.protocolVersion}`}
          {file === undefined ? '' : ` · ${file}`}
        </option>
      ))}
    </>
  );
}
