import { describe, expect, it } from 'vitest';
import { describeAccess } from './tool-page.ts';
import { toolPage } from './tool-page.ts';

describe('who may call a tool', () => {
  it('is told in words', () => {
    expect(describeAccess([{ type: 'noauth' }])).toEqual(['by everybody']);
    expect(describeAccess([{ type: 'oauth2', scopes: ['a', 'b'] }])).toEqual(['by those who were granted a, b']);
    expect(describeAccess([{ type: 'noauth' }, { type: 'oauth2' }])).toEqual([
      'by everybody',
      'by those who have signed in',
    ]);
  });

  it.each([undefined, null, 'oauth2', {}, [null], [7], [{ type: 'other' }]])(
    'is left out where it is %j',
    (schemes) => {
      expect(describeAccess(schemes)).toEqual([]);
    },
  );

  it('names a bounded number of scopes, and nothing that is no text', () => {
    const scopes = [7, ...Array.from({ length: 1000 }, (_, each) => `s${each}`)];
    expect(describeAccess([{ type: 'oauth2', scopes }])[0]?.length).toBeLessThan(200);
  });

  it('stands on the page of a tool, with what a terminal would take for commands made harmless', () => {
    const scopes = ['a\u001B[31m'];
    const page = toolPage({ name: 'x', securitySchemes: [{ type: 'oauth2', scopes }] }, undefined);
    expect(page).toContain('May be called\n  by those who were granted a');
    expect(page).not.toContain('\u001B');
  });
});
