import { isRecord } from '../form/json.ts';

type Row = Readonly<Record<string, unknown>>;

/** The address of the view that a tool names, in the present form or the former. */
export function toolViewUri({ _meta: meta }: Row): string | undefined {
  if (!isRecord(meta)) return undefined;
  const uri = (isRecord(meta.ui) ? meta.ui.resourceUri : undefined) ?? meta['ui/resourceUri'];
  return typeof uri === 'string' ? uri : undefined;
}

/** True where no model is to see a tool: it is there for views of its server. */
export function isHiddenFromModels({ _meta: meta }: Row): boolean {
  const visibility = isRecord(meta) && isRecord(meta.ui) ? meta.ui.visibility : undefined;
  return Array.isArray(visibility) && !visibility.includes('model');
}
