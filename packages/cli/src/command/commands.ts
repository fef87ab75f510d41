/** Gives an exit code, or undefined where the process goes on by itself. */
type Subcommand = (args: readonly string[]) => Promise<number | undefined>;

/** Commands of the client side, which share one way to run. */
function client(name: string): Subcommand {
  return async (args) => (await import('../client/run-client-command.ts')).run(name, args);
}

/** What the first argument, or the first two, may be beside names of servers. Loaded when used: serving must start at once. */
export const subcommands: Readonly<Record<string, Subcommand>> = {
  'notes export': async (args) => (await import('../notes/notes.ts')).exportTo(args),
  'notes import': async (args) => (await import('../notes/notes.ts')).importFrom(args),
  'notes recover': async (args) => (await import('../notes/notes.ts')).recover(args),
  audit: async (args) => (await import('../audit/help.ts')).explainAudit(args),
  'audit verify': async (args) => (await import('../audit/verify.ts')).verify(args),
  'audit show': async (args) => (await import('../audit/show.ts')).show(args),
  install: async (args) => (await import('../install/install.ts')).install(args),
  uninstall: async (args) => (await import('../install/uninstall.ts')).uninstall(args),
  doctor: async (args) => (await import('../doctor/doctor.ts')).doctor(args),
  completion: async (args) => (await import('../completion/completion.ts')).completion(args, Object.keys(subcommands)),
  new: async (args) => (await import('../new/new.ts')).newProject(args),
  serve: async (args) => (await import('../serve/serve-file.ts')).serveFile(args),
  top: async (args) => (await import('../top/top.ts')).top(args),
  list: client('list'),
  show: client('show'),
  call: client('call'),
  read: client('read'),
  prompt: client('prompt'),
  complete: client('complete'),
  skills: client('skills'),
  tasks: client('tasks'),
  listen: client('listen'),
  ping: client('ping'),
  probe: client('probe'),
  inspect: client('inspect'),
  login: client('login'),
  logout: client('logout'),
  whoami: client('whoami'),
  shell: client('shell'),
};
