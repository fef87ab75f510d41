/**
 * The limits of code that runs in web pages; limits.ts lists them with all others. Plain numbers in a separate file, so
 * that a page does not bundle the whole table.
 */
export const pageLimits = {
  /** Of hosts that show views. */
  appHost: {
    message: { value: 16_777_216, unit: 'characters', what: 'a message of a view, as JSON; a longer one is rejected' },
    messagesPerSecond: {
      value: 200,
      unit: 'count',
      what: 'messages of a view that are taken in a second, long ones counted several times; others are rejected',
      option: 'messagesPerSecond',
      of: 'appHost',
    },
    weight: { value: 163_840, unit: 'characters', what: 'length of a message of a view for which it counts once more' },
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
    loads: { value: 100, unit: 'count', what: 'times that a view may begin, as by reloading itself' },
    reports: {
      value: 100,
      unit: 'count',
      what: 'reports of a view about errors and about its policy; others are left out',
    },
  },
} as const;
