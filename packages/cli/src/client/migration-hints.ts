const target = 'Leave it out: the target says it, which is a name, a URL, a file, or a command after "--" at the end.';
const address = 'Give the address as the target, such as 127.0.0.1:8080/mcp.';
const header = "Send it as a header, --header 'Authorization: Bearer …', or name its variable: --token-env NAME.";
const command = 'Requests are commands: list TARGET, call TARGET TOOL key=value, read TARGET URI, prompt TARGET NAME.';

/** Options of other clients, with the option here. */
export const foreignOptions: Readonly<Record<string, string>> = {
  '-H': "Write --header 'NAME: VALUE'.",
  '--headers': "Write --header 'NAME: VALUE', once for each.",
  '-e': 'Write --env NAME=VALUE.',
  '-v': 'Write --verbose.',
  '-o': 'Write --json.',
  '--output': 'Write --json.',
  '--format': 'Write --json.',
  '--raw': 'Write --json.',
  '--transport': target,
  '-t': target,
  '--stdio': target,
  '--http': target,
  '--sse': target,
  '--server': target,
  '--command': target,
  '--cli': target,
  '--url': address,
  '--host': address,
  '--port': address,
  '-p': address,
  '--token': header,
  '--bearer': header,
  '--api-key': header,
  '--auth': header,
  '--method': command,
  '--tool': command,
  '--tool-name': command,
  '--tool-arg': 'Arguments of a tool follow its name: key=value, or key:=json.',
  '--args': 'Arguments of a tool follow its name: key=value, key:=json, or all at once as {…}.',
  '--input': 'Arguments of a tool follow its name: key=value, key:=json, or all at once as {…}.',
};
