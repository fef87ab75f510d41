import { useId, useState } from 'preact/hooks';
import type { KnownModel, ModelService } from '../../shared/models.ts';
import { ask } from '../model/api.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';

interface Kind {
  readonly label: string;
  readonly service: ModelService;
  readonly url: string;
}

const kinds = {
  anthropic: { label: 'Anthropic', service: 'anthropic', url: 'https://api.anthropic.com' },
  openai: { label: 'OpenAI', service: 'openai', url: 'https://api.openai.com/v1' },
  local: { label: 'Ollama, or another that speaks like OpenAI', service: 'openai', url: 'http://127.0.0.1:11434/v1' },
} as const satisfies Record<string, Kind>;

type KindName = keyof typeof kinds;

/** Where a model is set up: its service, its name and one's own key. */
export function ModelForm({ model: before, onDone }: { model: KnownModel | undefined; onDone: () => void }) {
  const id = useId();
  const [kind, setKind] = useState<KindName>(() => kindOf(before));
  const [url, setUrl] = useState<string>(before?.url ?? kinds[kind].url);
  const [model, setModel] = useState(before?.model ?? '');
  const [key, setKey] = useState('');
  const asking = useAsking();
  const isKept = before?.hasKey === true && before.url === url;
  const choose = (name: KindName) => {
    setKind(name);
    setUrl(kinds[name].url);
  };
  const use = async () => {
    const { service } = kinds[kind];
    await ask('set-up-model', { service, url, model: model.trim(), ...(key !== '' && { key: key.trim() }) });
    setKey('');
    onDone();
  };
  return (
    <form
      class="options model-form"
      aria-label="Set up a model"
      onSubmit={(event) => {
        event.preventDefault();
        asking.run(use);
      }}
    >
      <label for={`${id}-kind`}>Service</label>
      <select
        id={`${id}-kind`}
        class="input"
        value={kind}
        onChange={(event) => choose(event.currentTarget.value as KindName)}
      >
        {Object.entries(kinds).map(([name, { label }]) => (
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
        placeholder="its name, as the service writes it"
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
        placeholder={isKept ? 'the one that was given stays' : kind === 'local' ? 'none, or yours' : 'yours'}
        onInput={(event) => setKey(event.currentTarget.value)}
      />
      <p class="dim small model-words">
        The key is kept in the memory of the inspector until it ends, and is sent to this address only. The service is
        asked when you say so, and gets what the server asks.
      </p>
      <div class="line model-words">
        <button type="submit" class="button primary" disabled={asking.busy || model.trim() === '' || url.trim() === ''}>
          Use this model
        </button>
        {before === undefined ? null : (
          <button
            type="button"
            class="button"
            disabled={asking.busy}
            onClick={() => asking.run(() => ask('forget-model', {}).then(onDone))}
          >
            Forget it
          </button>
        )}
      </div>
      <ProblemBox error={asking.error} />
    </form>
  );
}

function kindOf(model: KnownModel | undefined): KindName {
  if (model === undefined || model.service === 'anthropic') return 'anthropic';
  return model.url === kinds.openai.url ? 'openai' : 'local';
}
