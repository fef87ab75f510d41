import { isObject } from '../../jsonrpc/message.ts';
import type { WireSchema } from '../../protocol/listing.ts';

/** Fills in the defaults of a form for the fields that were left out. */
export function withDefaults(schema: WireSchema, content: Record<string, unknown>): Record<string, unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const filled = { ...content };
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(content, name) && content[name] !== undefined) continue;
    if (isObject(property) && property.default !== undefined) filled[name] = property.default;
  }
  return filled;
}
