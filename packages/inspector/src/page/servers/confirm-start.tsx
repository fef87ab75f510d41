import type { Confirmation } from '../../shared/requests.ts';
import { shownCommand } from './shown-command.ts';

/** Shows what would be started, and asks whether it shall. */
export function ConfirmStart({
  confirmation: { command, cwd },
  busy,
  onStart,
  onCancel,
}: {
  confirmation: Confirmation;
  busy: boolean;
  onStart: () => void;
  onCancel: () => void;
}) {
  return (
    <div class="box note-box block" role="alertdialog" aria-label="Start a program?">
      <p>This starts a program on your machine, with your rights:</p>
      <pre>{shownCommand(command)}</pre>
      <p class="dim">
        in <code>{shownCommand([cwd])}</code>
      </p>
      <div class="line">
        <button type="button" class="button primary" disabled={busy} onClick={onStart} autofocus>
          Start it
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}
