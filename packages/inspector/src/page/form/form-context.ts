import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Json, Path } from './json.ts';

/** State shared by the fields of a form. */
export interface FormContext {
  /** Prefix of input ids. */
  readonly id: string;
  /** The root schema, which `$ref` resolves against. */
  readonly root: unknown;
  /** Problems by JSON pointer. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
  readonly isLocked: boolean;
  setValue(path: Path, value: Json | undefined): void;
  chooseBranch(path: Path, from: number, to: number, fresh: Json | undefined): void;
  /** Completes a text, if the server supports it. */
  readonly complete?: ((path: Path, text: string) => Promise<readonly string[]>) | undefined;
}

export const Form = createContext<FormContext | undefined>(undefined);

/** The enclosing form. */
export function useForm(): FormContext {
  const form = useContext(Form);
  if (form === undefined) throw new Error('A field stands outside of a form');
  return form;
}
