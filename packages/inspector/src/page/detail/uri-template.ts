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

/** The names that stand in a template of addresses (RFC 6570). */
export function namesIn(template: string): string[] {
  const names = [...template.matchAll(expression)].flatMap(([, , list = '']) => list.split(',').map(bare));
  return [...new Set(names)];
}

/** The address that a template and texts for its names make. What has no text is left out, as the RFC says. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(expression, (_, operator: string, list: string) => {
    const style = styles[operator] ?? plain;
    const parts = list.split(',').flatMap((each) => {
      const name = bare(each);
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return [];
      const [, length] = /:(\d+)$/.exec(each) ?? [];
      const text = encoded(length === undefined ? value : value.slice(0, Number(length)), style.free);
      return [style.named ? `${name}${text === '' && operator === ';' ? '' : '='}${text}` : text];
    });
    return parts.length === 0 ? '' : style.first + parts.join(style.between);
  });
}

function bare(name: string): string {
  return name.replace(/(?:\*|:\d+)$/, '').trim();
}

function encoded(text: string, free: boolean): string {
  if (free) return encodeURI(text).replaceAll('%25', '%').replaceAll('%5B', '[').replaceAll('%5D', ']');
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
