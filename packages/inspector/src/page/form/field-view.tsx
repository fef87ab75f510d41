import { BooleanInput } from './inputs/boolean-input.tsx';
import { ChoiceInput } from './inputs/choice-input.tsx';
import { ChoicesInput } from './inputs/choices-input.tsx';
import type { Field } from './field.ts';
import { FieldFrame } from './field-frame.tsx';
import { ListInput } from './inputs/list-input.tsx';
import { NumberInput } from './inputs/number-input.tsx';
import { ObjectInput } from './inputs/object-input.tsx';
import { RawInput } from './inputs/raw-input.tsx';
import { TextInput } from './inputs/text-input.tsx';
import { UnionInput } from './inputs/union-input.tsx';

/** A part of a form with its name and its problems. The top of a form, and what stands in a frame already, has none of its own. */
export function FieldView({
  field,
  isTop = false,
  isBare = isTop,
}: {
  field: Field;
  isTop?: boolean;
  isBare?: boolean;
}) {
  const inside = <FieldInput field={field} isTop={isTop} />;
  return isBare ? inside : <FieldFrame field={field}>{inside}</FieldFrame>;
}

function FieldInput({ field, isTop }: { field: Field; isTop: boolean }) {
  switch (field.kind) {
    case 'text':
      return <TextInput field={field} />;
    case 'number':
      return <NumberInput field={field} />;
    case 'boolean':
      return <BooleanInput field={field} />;
    case 'choice':
      return <ChoiceInput field={field} />;
    case 'choices':
      return <ChoicesInput field={field} />;
    case 'object':
      return <ObjectInput field={field} isTop={isTop} view={FieldView} />;
    case 'list':
      return <ListInput field={field} view={FieldView} />;
    case 'union':
      return <UnionInput field={field} view={FieldView} />;
    case 'null':
      return <code class="dim">null</code>;
    case 'raw':
      return <RawInput field={field} />;
  }
}
