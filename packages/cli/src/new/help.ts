/** What `ccmcp new --help` prints. */
export const newHelp = `Usage: ccmcp new NAME [--ts | --js] [--http] [--no-install]

Makes a project with an MCP server of your own, in a new folder NAME (or a path whose last part is the name): a server
with one tool, tests, and the file that starts it. "npm test" and "npm start" work at once. @ccmcp/core comes from the
clone that this command runs in, packed into the project, or else from the registry.

  --js                     JavaScript, which needs nothing else (the default)
  --ts                     TypeScript, compiled by tsc
  --http                   serve over HTTP instead of stdio
  --no-install             do not run "npm install"
  --help                   print this text

Examples:
  ccmcp new weather
  ccmcp new ../weather --ts --http

Exit codes: 0 done; 1 not made, or made but not installed; 2 the command line is wrong; 130 interrupted.
`;
