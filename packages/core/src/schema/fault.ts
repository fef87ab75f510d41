import type { TValidationError } from 'typebox/error';
import type { JsonSchema } from './infer.ts';

/** A validation error of the validator. */
export type Fault = TValidationError;

/** The location of a fault in the schema and in the value. */
export interface FaultPlace {
  readonly schemaPath: string;
  readonly instancePath: string;
}

/** Resolves the paths of faults in the explained value and schema. */
export interface Subject {
  valueAt(instancePath: string): unknown;
  schemaAt(schemaPath: string): JsonSchema | undefined;
  /** Validates a part of the value. Empty if there is no schema at that path. */
  faultsAt(place: FaultPlace): readonly Fault[];
}
