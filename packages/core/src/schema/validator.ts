import type * as JsonSchemaValidator from './json-schema.ts';

type Validator = typeof JsonSchemaValidator;

let validator: Validator | undefined;
let loading: Promise<void> | undefined;

/** The validator of plain JSON Schemas, once it is loaded: most of a start-up would be spent on it. */
export function loadedValidator(): Validator | undefined {
  return validator;
}

/** Set while the validator is being loaded: whoever must not overtake those that wait for it waits too. */
export function validatorLoading(): Promise<void> | undefined {
  return loading;
}

/** Loads the validator, once. */
export function loadValidator(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  try {
    const loaded = await import('./json-schema.ts');
    await loaded.prepareValidator();
    validator = loaded;
  } finally {
    loading = undefined;
  }
}
