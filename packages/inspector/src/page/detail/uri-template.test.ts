import { describe, expect, it } from 'vitest';
import { expandTemplate, templateVariables } from './uri-template.ts';

describe('a URI template', () => {
  it('lists its variables', () => {
    expect(templateVariables('notes://{owner}/{id:3}{?tag*,since}')).toEqual(['owner', 'id', 'tag', 'since']);
  });

  it.each([
    ['notes://{id}', { id: 'a b/c' }, 'notes://a%20b%2Fc'],
    ['file://{+path}', { path: '/a b/c' }, 'file:///a%20b/c'],
    ['x:{/a,b}', { a: '1', b: '2' }, 'x:/1/2'],
    ['x:{?a,b}', { b: '2' }, 'x:?b=2'],
    ['x:{?a,b}', {}, 'x:'],
    ['x:{;a,b}', { a: '', b: 'y' }, 'x:;a;b=y'],
    ['x{#frag}', { frag: 'top' }, 'x#top'],
    ['x{.ext}', { ext: 'md' }, 'x.md'],
    ['{id:3}', { id: 'abcdef' }, 'abc'],
  ])('%s becomes an address', (template, values, address) => {
    expect(expandTemplate(template, values as Record<string, string>)).toBe(address);
  });
});
