/**
 * The bounds of what runs in a page, which limits.ts lists with all others. They stand by themselves, and as plain numbers, so that a
 * page does not carry the whole list.
 */
export const pageLimits = {
  /** Of hosts that show views. */
  appHost: {
    page: { value: 16_777_216, unit: 'characters', what: 'the document of a view' },
    message: { value: 16_777_216, unit: 'characters', what: 'a message of a view, as JSON; a longer one is refused' },
    depth: { value: 100, unit: 'count', what: 'levels that a message of a view may be nested' },
    messagesPerSecond: {
      value: 200,
      unit: 'count',
      what: 'messages of a view that are taken in a second, long ones counted several times; others are refused',
      option: 'messagesPerSecond',
      of: 'appHost',
    },
    weight: { value: 163_840, unit: 'characters', what: 'length of a message of a view for which it counts once more' },
    floodSeconds: {
      value: 5,
      unit: 'count',
      what: 'seconds in a row with too many messages, after which a view is ended',
    },
    floodTimes: {
      value: 10,
      unit: 'count',
      what: 'times as many messages as are taken in a second, with which a view is ended at once: its host could do nothing else',
    },
    requests: { value: 64, unit: 'count', what: 'requests of a view that are served at a time' },
    initializeMs: {
      value: 10_000,
      unit: 'milliseconds',
      what: 'time for a view to send `ui/initialize`, after which its host tells why that may be',
      option: 'initializeMs',
      of: 'appHost',
    },
    silenceMs: {
      value: 10_000,
      unit: 'milliseconds',
      what: 'silence of a view after which it is pinged, and time to answer that',
      option: 'silenceMs',
      of: 'appHost',
    },
    teardownMs: {
      value: 2000,
      unit: 'milliseconds',
      what: 'time for a view to answer `ui/resource-teardown` before it is removed',
      option: 'teardownMs',
      of: 'appHost',
    },
    answerMs: { value: 30_000, unit: 'milliseconds', what: 'time for a view to answer a call of one of its own tools' },
    side: { value: 10_000, unit: 'count', what: 'pixels that a view may be wide or high' },
    sizeMs: { value: 50, unit: 'milliseconds', what: 'time between two changes of the size of a view' },
    sizeTurns: {
      value: 4,
      unit: 'count',
      what: 'turns between growing and shrinking after which the larger size stays',
    },
    sizeSteps: { value: 30, unit: 'count', what: 'times that a view may grow without a pause of a second' },
    origins: { value: 64, unit: 'count', what: 'origins in a list of the policy of a view; more are left out' },
    address: {
      value: 12_288,
      unit: 'characters',
      what: 'the address of a sandbox, in which the policy of its view stands',
    },
    loads: { value: 100, unit: 'count', what: 'times that a view may begin, as by loading itself anew' },
    questions: {
      value: 5,
      unit: 'count',
      what: 'questions of a view to a person that are open at a time: to open a link, keep files or send a message',
    },
    refusedMs: { value: 2000, unit: 'milliseconds', what: 'time after a no in which a view may ask a person nothing' },
    focusMs: {
      value: 500,
      unit: 'milliseconds',
      what: 'time after a key or a click in the page in which a view does not get the focus',
    },
    focusTaken: {
      value: 5,
      unit: 'count',
      what: 'times that a view may take the focus in that time before it is ended, with pauses of less than ten seconds',
    },
    link: { value: 8192, unit: 'characters', what: 'an address that a view wants opened' },
    files: { value: 20, unit: 'count', what: 'files in one download of a view' },
    fileName: { value: 120, unit: 'characters', what: 'the name of a file that a view wants downloaded' },
    reports: {
      value: 100,
      unit: 'count',
      what: 'reports of a view about errors and about its policy; others are left out',
    },
  },
} as const;
