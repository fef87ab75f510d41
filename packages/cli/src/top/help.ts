/** What `ccmcp top --help` prints. */
export const topHelp = `Usage: ccmcp top URL [--once | --json] [--interval SECONDS]

Shows how a server does, live: requests, latencies, errors, sessions, memory, and its busiest tools. URL is the address that the
server was given with --admin (of a library: the option "admin" of serveHttp), or any that answers with its metrics. "q" leaves.

  --once                   show the figures of one interval and end; so it is where the output is no terminal
  --json                   the same as JSON; times are in seconds
  --interval SECONDS       how often to look, from 0.1 to 3600 (default: 2, and 1 with --once)
  --header 'NAME: VALUE'   send a header, such as a key; may be repeated
  --help                   print this text

Examples:
  ccmcp moonphase --http --admin 9464
  ccmcp top 127.0.0.1:9464
  ccmcp top http://127.0.0.1:9464 --json | jq .requests

Exit codes: 0 done, 1 no metrics could be read, 2 the command line is wrong.
`;
