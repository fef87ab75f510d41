/** What a client is ready to read. */
export interface Acceptable {
  json: boolean;
  events: boolean;
}

const seen = new Map<string, Acceptable>();
const all: Acceptable = { json: true, events: true };

/** Reads an Accept header; one that is missing accepts everything. */
export function acceptable(header: string | undefined): Acceptable {
  if (header === undefined) return all;
  const known = seen.get(header);
  if (known !== undefined) return known;
  const ranges = header
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
    .map(([type]) => type);
  const has = (...types: string[]): boolean => types.some((type) => ranges.includes(type));
  const result = {
    json: has('application/json', 'application/*', '*/*'),
    events: has('text/event-stream', 'text/*', '*/*'),
  };
  if (seen.size < 100 && header.length < 200) seen.set(header, result);
  return result;
}

/** True for JSON in UTF-8, the only thing that is taken. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== 'application/json') return false;
  return parameters.every(
    (parameter) => !parameter.startsWith('charset') || /^charset=("utf-?8"|utf-?8)$/.test(parameter),
  );
}
