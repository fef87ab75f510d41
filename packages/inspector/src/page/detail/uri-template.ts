const expression = /\{([+#./;?&]?)([^{}]+)\}/g;

interface Style {
  readonly first: string;
  readonly between: string;
  readonly named: boolean;
  readonly free: boolean;
}

const plain: Style = { first: '', between: ',', named: false, free: false };

const styles: Readonly<Record<string, Style>> = {
  '+': { first: '', between: ',', named: false, free: true },
  '#': { first: '#', between: ',', named: false, free: true },
  '.': { first: '.', between: '.', named: false, free: false },
  '/': { first: '/', between: '/', named: false, free: false },
  ';': { first: ';', between: ';', named: true, free: false },
  '?': { first: '?', between: '&', named: true, free: false },
  '&': { first: '&', between: '&', named: true, free: false },
};

/** Variables of a URI template (RFC 6570). */
export function templateVariables(template: string): string[] {
  const names = [...template.matchAll(expression)].flatMap(([, , list = '']) => list.split(',').map(stripModifier));
  return [...new Set(names)];
}

/** Expands a URI template; undefined variables are omitted (RFC 6570). */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(expression, (_, operator: string, list: string) => {
    const style = styles[operator] ?? plain;
    const parts = list.split(',').flatMap((each) => {
      const name = stripModifier(each);
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return [];
      const [, length] = /:(\d+)$/.exec(each) ?? [];
      const text = encodeValue(length === undefined ? value : value.slice(0, Number(length)), style.free);
      return [style.named ? `${name}${text === '' && operator === ';' ? '' : '='}${text}` : text];
    });
    return parts.length === 0 ? '' : style.first + parts.join(style.between);
  });
}

function stripModifier(name: string): string {
  return name.replace(/(?:\*|:\d+)$/, '').trim();
}

function encodeValue(text: string, free: boolean): string {
  if (free) return encodeURI(text).replaceAll('%25', '%').replaceAll('%5B', '[').replaceAll('%5D', ']');
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
