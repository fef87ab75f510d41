import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Json, Path } from './json.ts';

/** What the fields of a form share. */
export interface FormContext {
  /** Stands before the ids of its inputs. */
  readonly id: string;
  /** The schema that references lead into. */
  readonly root: unknown;
  /** What is wrong, by JSON pointer. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
  readonly isLocked: boolean;
  put(path: Path, value: Json | undefined): void;
  choose(path: Path, from: number, to: number, fresh: Json | undefined): void;
  /** What a text may be completed to, where the server tells. */
  readonly complete?: ((path: Path, text: string) => Promise<readonly string[]>) | undefined;
}

export const Form = createContext<FormContext | undefined>(undefined);

/** The form that a field stands in. */
export function useForm(): FormContext {
  const form = useContext(Form);
  if (form === undefined) throw new Error('A field stands outside of a form');
  return form;
}
