import { expect, it } from 'vitest';
import type { Request } from '../../../../jsonrpc/message.ts';
import { MethodTable } from '../../../../protocol/methods.ts';
import { LongAnswers } from './long-answers.ts';

const methodTable = new MethodTable();

function call(name: string): Request {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } };
}

it('what was answered at length is expected to be so again, by its name, until much else was', () => {
  const answers = new LongAnswers();
  answers.note(call('big'), methodTable);
  const list: Request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  answers.note(list, methodTable);
  const expected = [call('big'), call('small'), list].map((request) => answers.expects(request, methodTable));
  expect(expected).toEqual([true, false, true]);
  for (let each = 0; each < 1000; each++) answers.note(call(`t${each}`), methodTable);
  expect([answers.expects(call('big'), methodTable), answers.expects(call('t999'), methodTable)]).toEqual([
    false,
    true,
  ]);
});
