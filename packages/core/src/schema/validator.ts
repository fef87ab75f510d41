import type * as JsonSchemaValidator from './json-schema.ts';

type Validator = typeof JsonSchemaValidator;

/** The validator of plain JSON Schemas, if it is loaded. Loaded lazily, because it would dominate start-up. */
export let loadedValidator: Validator | undefined;
let loading: Promise<void> | undefined;
let awaited = false;
/** The number of checks after which the validator is loaded: it is faster than the fast path of a schema. */
const MANY = 100;
let fastChecks = 0;

/** Set while a request waits for the validator: later requests must wait too, to keep their order. */
export function validatorLoading(): Promise<void> | undefined {
  return awaited ? loading : undefined;
}

/** Loads the validator once, for a request that needs it. */
export function loadValidator(): Promise<void> {
  awaited = true;
  return loadValidatorAhead();
}

/** Preloads the validator, before a request needs it; no request waits for that. */
export function loadValidatorAhead(): Promise<void> {
  loading ??= load();
  return loading;
}

/** Counts a value that the fast path accepted. After many, loads the validator in the background. */
export function countFastCheck(): void {
  fastChecks += 1;
  // If loading fails, the fast path goes on.
  if (fastChecks % MANY === 0) loadValidatorAhead().catch(() => {});
}

async function load(): Promise<void> {
  try {
    const loaded = await import('./json-schema.ts');
    await loaded.prepareValidator();
    loadedValidator = loaded;
  } finally {
    loading = undefined;
    awaited = false;
  }
}
