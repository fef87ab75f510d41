import type { JsonSchema } from '@ccmcp/core';
import { briefText } from './brief-text.ts';
import { type Body, type BodyPart, readBody } from './body-plan.ts';
import type { Documents } from './documents.ts';
import { isObject, memberOf, textOf } from './json.ts';
import type { Operation, Parameter } from './operations.ts';
import { parameterPlaces } from './operations.ts';
import { type Converted, maxDescription, type Schemas } from './schemas.ts';
import { UniqueNames } from './unique-names.ts';

/** An argument of a tool that becomes a parameter. */
export interface ParameterArgument {
  readonly argument: string;
  readonly parameter: Parameter;
  readonly required: boolean;
}

/** An argument of a tool that becomes the body, or a member of it. */
export interface BodyArgument {
  readonly argument: string;
  readonly part: BodyPart;
}

/** How the arguments of a tool become a request. */
export interface InputPlan {
  readonly schema: JsonSchema;
  readonly parameters: readonly ParameterArgument[];
  readonly body: Body | undefined;
  readonly bodyArguments: readonly BodyArgument[];
}

/** The maximum length of an argument's name, which models limit. */
const maxName = 64;
/** The maximum length of the definitions of an input schema, as JSON. */
const maxDefinitions = 16 * 1024;

/** Headers that are not for a model: those of the connection, and those that the specification excludes. */
const ownHeaders =
  /^(?:accept|authorization|connection|content-(?:length|type)|cookie|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * Puts the parameters and the body of an operation into one flat object. `isCredential` excludes parameters that carry credentials.
 * Throws a `DocumentError` if a reference leads nowhere.
 */
export function planInput(
  operation: Operation,
  {
    documents,
    schemas,
    isCredential,
  }: { documents: Documents; schemas: Schemas; isCredential: (parameter: Parameter) => boolean },
): InputPlan {
  const names = new UniqueNames(maxName);
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  const uses = new Set<string>();
  const add = (argument: string, { json, uses: used }: Converted, isRequired: boolean): void => {
    for (const use of used) uses.add(use);
    properties.push([argument, json]);
    if (isRequired) required.push(argument);
  };

  const given = operation.parameters.filter(
    (parameter) => !isCredential(parameter) && !(parameter.place === 'header' && ownHeaders.test(parameter.name)),
  );
  const parameters = parameterPlaces
    .flatMap((place) => given.filter((parameter) => parameter.place === place))
    .map((parameter): ParameterArgument => {
      const argument = uniqueName(names, parameter.name, parameter.place);
      const isRequired = parameter.place === 'path' || parameter.value.required === true;
      add(argument, describeParameter(schemas, parameter), isRequired);
      return { argument, parameter, required: isRequired };
    });
  const body = readBody(operation, documents, schemas);
  const bodyArguments = (body?.parts ?? []).map((part): BodyArgument => {
    const argument = uniqueName(names, part.name ?? 'body', 'body');
    add(argument, part.schema, part.required);
    return { argument, part };
  });

  const { defs } = schemas.definitions(uses, maxDefinitions);
  const schema: Record<string, unknown> = { type: 'object' };
  if (properties.length > 0) schema.properties = Object.fromEntries(properties);
  if (required.length > 0) schema.required = required;
  schema.additionalProperties = false;
  if (uses.size > 0) schema.$defs = defs;
  return { schema, parameters, body, bodyArguments };
}

/** The first place that wants a name gets it, another one `name_place`: path, query, header, cookie, body, in this order. */
function uniqueName(names: UniqueNames, wanted: string, place: string): string {
  const plain = toArgumentName(wanted);
  return names.take(names.has(plain) ? `${plain.slice(0, maxName - place.length - 1)}_${place}` : plain);
}

function toArgumentName(text: string): string {
  const name = text
    .slice(0, 200)
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/(?<=.)_+$/, '')
    .slice(0, maxName);
  // An assignment to it would change a prototype.
  return name === '__proto__' || name === '__proto' || name === '' ? 'proto' : name;
}

/** A parameter has its schema in `schema`, or in a `content` of one type. */
function describeParameter(schemas: Schemas, { value, document }: Parameter): Converted {
  const [[, content] = []] = isObject(value.content) ? Object.entries(value.content) : [];
  const converted = schemas.convert({ value: value.schema ?? memberOf(content, 'schema') ?? {}, document });
  const text = textOf(value.description);
  if (text === undefined) return converted;
  return { ...converted, json: { ...converted.json, description: briefText(text, maxDescription) } };
}
