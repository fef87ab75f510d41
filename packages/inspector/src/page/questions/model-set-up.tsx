import { useState } from 'preact/hooks';
import { useWorld } from '../model/state.ts';
import { ModelForm } from './model-form.tsx';

/** A quiet way to set up a model that answers for the person, or to change it. */
export function ModelSetUp() {
  const { model } = useWorld('questions');
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
