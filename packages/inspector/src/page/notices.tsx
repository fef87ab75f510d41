import { openedRecording } from './model/opened-recording.ts';
import { navigate } from './model/route.ts';
import { showRecording, streamState } from './model/store.ts';
import { formatPair } from './compare/session-name.ts';

/** Page-wide notices: the inspector is unreachable, or a recording is shown. */
export function Notices() {
  if (openedRecording.value !== undefined) {
    return (
      <div class="notice" role="status">
        <span class="grow">
          This is the recording <code>{openedRecording.value}</code>.
        </span>
        <button
          type="button"
          class="button"
          onClick={() =>
            navigate({
              server: '~',
              section: 'compare',
              name: formatPair({ label: '', file: openedRecording.value }, undefined),
            })
          }
        >
          Compare with …
        </button>
        <button type="button" class="button" onClick={() => showRecording(undefined, undefined)}>
          Back to live
        </button>
      </div>
    );
  }
  if (streamState.value === 'refused') {
    return (
      <div class="notice bad-notice" role="alert">
        The inspector does not know this page. Open it with the address that `ccmcp inspect` wrote: it has the token.
      </div>
    );
  }
  if (streamState.value === 'lost') {
    return (
      <div class="notice bad-notice" role="alert">
        The inspector does not respond. Retrying; check that `ccmcp inspect` is still running.
      </div>
    );
  }
  return null;
}
