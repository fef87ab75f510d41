import type * as JsonSchemaValidator from './json-schema.ts';

type Validator = typeof JsonSchemaValidator;

let validator: Validator | undefined;
let loading: Promise<void> | undefined;
let awaited = false;

/** The validator of plain JSON Schemas, once it is loaded: most of a start-up would be spent on it. */
export function loadedValidator(): Validator | undefined {
  return validator;
}

/** Set while someone waits for the validator to be loaded: whoever must not overtake them waits too. */
export function validatorLoading(): Promise<void> | undefined {
  return awaited ? loading : undefined;
}

/** Loads the validator, once, for someone who waits for it. */
export function loadValidator(): Promise<void> {
  awaited = true;
  return loadValidatorAhead();
}

/** Loads the validator, once, before anyone waits for it: nobody else does either then. */
export function loadValidatorAhead(): Promise<void> {
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
    awaited = false;
  }
}
