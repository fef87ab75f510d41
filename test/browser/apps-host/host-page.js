// @ts-nocheck The page that shows views in tests: it writes down whatever its host hears.
import { appHost } from '@ccmcp/core/apps-host';

const views = [];
const seen = [];
/** Kinds of messages that are not recorded, because a view may send too many of them. */
const quieted = new Set();

function note(kind, what) {
  if (!quieted.has(kind))
    seen.push({ kind, what: what instanceof Error ? { problem: what.problem, message: what.message } : what });
}

/** User decisions, where the test gives some: `{ openLink: true }` allows links to be opened. */
function people(answers) {
  const given = {};
  for (const name of ['openLink', 'download', 'message']) {
    if (answers[name] === undefined) continue;
    given[name] = (what) => {
      note(name, what instanceof URL ? what.href : what);
      return answers[name];
    };
  }
  if (answers.modelContext) given.modelContext = (what) => note('modelContext', what);
  if (answers.displayMode) given.displayMode = (mode) => (answers.displayMode === true ? mode : answers.displayMode);
  if (answers.sample)
    given.sample = async (params) => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: `to ${params.messages.length}` },
    });
  if (answers.closing) given.closing = () => note('closing');
  if (answers.approve !== undefined) given.approve = () => answers.approve;
  return given;
}

function show({ answers = {}, width = 600, quiet = [], ...options }) {
  for (const kind of quiet) quieted.add(kind);
  const container = document.createElement('div');
  container.style.width = `${width}px`;
  document.body.append(container);
  const view = appHost({
    container,
    server: { request: (method, params) => serverRequest(method, params ?? {}) },
    onMessage: ({ from, message, rejected }) => note(from, rejected === undefined ? message : { rejected, message }),
    onReport: (report) => note('report', report),
    onProblem: (error) => note('problem', error),
    onLog: (log) => note('log', log),
    onSize: (size) => note('size', size),
    onToolsChanged: () => note('toolsChanged'),
    onClosed: () => note('closed'),
    hostInfo: { name: 'stage', version: '1.0.0' },
    ...people(answers),
    ...options,
  });
  views.push(view);
  return views.length - 1;
}

Object.assign(globalThis, { stage: { show, views, seen } });
