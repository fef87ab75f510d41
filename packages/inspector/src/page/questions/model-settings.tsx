import { useId, useState, useEffect } from 'preact/hooks';
import type { KnownModel, ModelService } from '../../shared/models.ts';
import { request } from '../model/api.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useRequest } from '../components/use-request.ts';
import { useAppState } from '../model/store.ts';
import type { Connection } from '../../shared/connections.ts';
import { openedRecording } from '../model/opened-recording.ts';

interface Provider {
  readonly label: string;
  readonly service: ModelService;
  readonly url: string;
}

const providers = {
  anthropic: { label: 'Anthropic', service: 'anthropic', url: 'https://api.anthropic.com' },
  openai: { label: 'OpenAI', service: 'openai', url: 'https://api.openai.com/v1' },
  local: { label: 'Ollama, or another OpenAI-compatible service', service: 'openai', url: 'http://127.0.0.1:11434/v1' },
} as const satisfies Record<string, Provider>;

type ProviderName = keyof typeof providers;

/** Sets up a model: service, name and API key. */
function ModelForm({ model: before, onDone }: { model: KnownModel | undefined; onDone: () => void }) {
  const id = useId();
  const [kind, setKind] = useState<ProviderName>(() => providerOf(before));
  const [url, setUrl] = useState<string>(before?.url ?? providers[kind].url);
  const [model, setModel] = useState(before?.model ?? '');
  const [key, setKey] = useState('');
  const pending = useRequest();
  const isKept = before?.hasKey === true && before.url === url;
  const choose = (name: ProviderName) => {
    setKind(name);
    setUrl(providers[name].url);
  };
  const use = async () => {
    const { service } = providers[kind];
    await request('set-up-model', { service, url, model: model.trim(), ...(key !== '' && { key: key.trim() }) });
    setKey('');
    onDone();
  };
  return (
    <form
      class="options model-form"
      aria-label="Set up a model"
      onSubmit={(event) => {
        event.preventDefault();
        pending.run(use);
      }}
    >
      <label for={`${id}-kind`}>Service</label>
      <select
        id={`${id}-kind`}
        class="input"
        value={kind}
        onChange={(event) => choose(event.currentTarget.value as ProviderName)}
      >
        {Object.entries(providers).map(([name, { label }]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <label for={`${id}-url`}>Address</label>
      <input
        id={`${id}-url`}
        class="input mono"
        value={url}
        spellcheck={false}
        onInput={(event) => setUrl(event.currentTarget.value)}
      />
      <label for={`${id}-model`}>Model</label>
      <input
        id={`${id}-model`}
        class="input mono"
        value={model}
        placeholder="model name"
        spellcheck={false}
        onInput={(event) => setModel(event.currentTarget.value)}
      />
      <label for={`${id}-key`}>Key</label>
      <input
        id={`${id}-key`}
        class="input mono"
        type="password"
        autocomplete="off"
        value={key}
        placeholder={isKept ? 'unchanged' : kind === 'local' ? 'none, or yours' : 'yours'}
        onInput={(event) => setKey(event.currentTarget.value)}
      />
      <p class="dim small model-words">
        The key stays in the memory of the inspector, and is sent to this URL only. The service is asked when you say
        so, and gets what the server asks.
      </p>
      <div class="line model-words">
        <button
          type="submit"
          class="button primary"
          disabled={pending.busy || model.trim() === '' || url.trim() === ''}
        >
          Use this model
        </button>
        {before === undefined ? null : (
          <button
            type="button"
            class="button"
            disabled={pending.busy}
            onClick={() => pending.run(() => request('forget-model', {}).then(onDone))}
          >
            Forget it
          </button>
        )}
      </div>
      <ProblemBox error={pending.error} />
    </form>
  );
}

function providerOf(model: KnownModel | undefined): ProviderName {
  if (model === undefined || model.service === 'anthropic') return 'anthropic';
  return model.url === providers.openai.url ? 'openai' : 'local';
}

/** Collapsed model setup. */
export function ModelSetup() {
  const { model } = useAppState('questions');
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="dim">
        {model === undefined
          ? 'Answer with a model…'
          : `Model: ${model.model} at ${new URL(model.endpoint).host}, ${model.hasKey ? 'with a key' : 'without a key'}`}
      </summary>
      {isOpen ? <ModelForm model={model} onDone={() => setOpen(false)} /> : null}
    </details>
  );
}

/** Lets a model answer questions without review; off at every start. */
export function AutoAnswerSwitch({ connection }: { connection: string }) {
  const state = useAppState('questions').autoAnswers.get(connection);
  const pending = useRequest();
  const isOn = state?.on === true;
  // Optimistic until the inspector confirms.
  const [put, setPut] = useState<boolean | undefined>();
  useEffect(() => setPut(undefined), [state, pending.error]);
  return (
    <>
      <label class="line" title="Applies from the next question on, within limits; nobody reviews the answers">
        <input
          type="checkbox"
          checked={put ?? isOn}
          disabled={pending.busy}
          onChange={(event) => {
            const on = event.currentTarget.checked;
            setPut(on);
            pending.run(() => request('answer-by-itself', { connection, on }));
          }}
        />
        <span class={isOn ? 'note' : 'dim'}>Answer automatically</span>
        {isOn && state.answers > 0 ? (
          <span class="dim small">
            {state.answers} so far, {state.tokens} tokens
          </span>
        ) : null}
      </label>
      {state?.says === undefined ? null : <span class="note small">▲ {state.says}</span>}
      <ProblemBox error={pending.error} />
    </>
  );
}

/** Model settings of a connection. */
export function ConnectionModel({ connection }: { connection: Connection }) {
  const { model } = useAppState('questions');
  if (openedRecording.value !== undefined || connection.terms.sampling === false) return null;
  return (
    <div class="block">
      <ModelSetup />
      {model === undefined ? null : (
        <div class="line">
          <AutoAnswerSwitch connection={connection.id} />
        </div>
      )}
    </div>
  );
}
