import { useEffect, useId, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import type { KnownModel, ModelService } from '../../shared/questions.ts';
import { Button, Checkbox, Select } from '../components/controls.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';
import { openedRecording } from '../model/route.ts';
import { useAppState } from '../model/store.ts';

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
const providerNames = Object.keys(providers) as ProviderName[];

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
      <Select
        id={`${id}-kind`}
        value={kind}
        options={providerNames.map((name) => [name, providers[name].label])}
        onChange={choose}
      />
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
      <p class="dim small model-note">
        The key stays in the memory of the inspector, and is sent to this URL only. The service is asked when you say
        so, and gets what the server asks.
      </p>
      <div class="line model-note">
        <Button type="submit" isPrimary disabled={pending.busy || model.trim() === '' || url.trim() === ''}>
          Use this model
        </Button>
        {before === undefined ? null : (
          <Button pending={pending} run={() => request('forget-model', {}).then(onDone)}>
            Forget it
          </Button>
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
  const { model } = useAppState('questions').modelAnswers;
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
  const state = useAppState('questions').modelAnswers.auto.get(connection);
  const pending = useRequest();
  const isOn = state?.on === true;
  // Optimistic until the inspector confirms.
  const [put, setPut] = useState<boolean | undefined>();
  useEffect(() => setPut(undefined), [state, pending.error]);
  return (
    <>
      <Checkbox
        class="line"
        label={
          <>
            <span class={isOn ? 'note' : 'dim'}>Answer automatically</span>
            {isOn && state.answers > 0 ? (
              <span class="dim small">
                {state.answers} so far, {state.tokens} tokens
              </span>
            ) : null}
          </>
        }
        title="Applies from the next question on, within limits; answers are not reviewed"
        checked={put ?? isOn}
        disabled={pending.busy}
        onChange={(on) => {
          setPut(on);
          pending.run(() => request('set-auto-answer', { connection, on }));
        }}
      />
      {state?.message === undefined ? null : <span class="note small">▲ {state.message}</span>}
      <ProblemBox error={pending.error} />
    </>
  );
}

/** Model settings of a connection. */
export function ConnectionModel({ connection }: { connection: Connection }) {
  const { model } = useAppState('questions').modelAnswers;
  if (openedRecording.value !== undefined || connection.settings.sampling === false) return null;
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
