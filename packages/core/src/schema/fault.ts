import type { TValidationError } from 'typebox/error';
import type { JsonSchema } from './infer.ts';

/** One disagreement between a value and a schema, as the validator reports it. */
export type Fault = TValidationError;

/** Where a fault is: in the schema, and in the value. */
export interface FaultPlace {
  readonly schemaPath: string;
  readonly instancePath: string;
}

/** The value and the schema that an explanation is about, by the paths that faults carry. */
export interface Subject {
  valueAt(instancePath: string): unknown;
  schemaAt(schemaPath: string): JsonSchema | undefined;
  /** Asks the validator about a part of the value. Empty where the schema at that path can't be found. */
  faultsAt(place: FaultPlace): readonly Fault[];
}
