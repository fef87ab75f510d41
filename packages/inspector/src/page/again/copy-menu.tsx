import { useRef, useState } from 'preact/hooks';
import { addresses, type WholeCall } from '../../shared/addresses.ts';
import { ask, get } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { theWorld } from '../model/state.ts';
import type { Call } from '../model/world.ts';
import { recordedCall } from './recorded-call.ts';

const forms = [
  ['command', 'as a command (ccmcp call)'],
  ['curl', 'as cURL'],
  ['test', 'as a test'],
] as const;

/** Copies a call in a form that works elsewhere. */
export function CopyMenu({ call }: { call: Call }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [says, setSays] = useState('Copy');
  const close = () => {
    menu.current?.removeAttribute('open');
    menu.current?.querySelector('summary')?.focus();
  };
  const copied = (what: Promise<string>) => {
    close();
    what
      .then((text) => navigator.clipboard.writeText(text))
      .then(() => setSays('Copied'))
      .catch((error: unknown) => setSays(error instanceof Error ? error.message : 'Not copied'))
      .finally(() => setTimeout(() => setSays('Copy'), 2000));
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
      <summary class="quiet" id="copy" role="button">
        <span aria-live="polite">{says}</span>
      </summary>
      <div class="menu-items">
        {forms.map(([form, text]) => (
          <button type="button" key={form} onClick={() => copied(textOf(call, form))}>
            {text}
          </button>
        ))}
        <button
          type="button"
          onClick={() => copied(resultOf(call).then((result) => JSON.stringify(result, undefined, 2)))}
        >
          the result as JSON
        </button>
        <button type="button" onClick={() => copied(Promise.resolve(location.href))}>
          a link to this
        </button>
      </div>
    </details>
  );
}

async function textOf(call: Call, form: (typeof forms)[number][0]): Promise<string> {
  const { text } = await ask(
    'copy-as',
    openedRecording.value === undefined
      ? { form, call: call.start.call }
      : { form, recorded: recordedCall(theWorld(), call) },
  );
  return text;
}

async function resultOf({ start, end }: Call): Promise<unknown> {
  if (end?.cut) return (await get<WholeCall>(addresses.call(start.call))).result;
  return end?.result ?? end?.error ?? null;
}
