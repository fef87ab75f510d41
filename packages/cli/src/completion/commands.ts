import { candidates, type CommandGroup } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';

const completion = defineCommand({
  name: 'completion',
  usage: 'SHELL',
  helpUsage: ['bash|zsh|fish'],
  summary: 'print the script that completes this command in bash, zsh or fish',
  description: `
Prints a script by which a shell completes commands, options, ready-made servers, their tools and arguments, and files.

  bash   source <(ccmcp completion bash)     in ~/.bashrc
  zsh    source <(ccmcp completion zsh)      in ~/.zshrc, after compinit
  fish   ccmcp completion fish | source      in ~/.config/fish/config.fish`,
  options: {},
  complete: async (words) => candidates(words.length < 2 ? Object.keys((await import('./scripts.ts')).scripts) : []),
  run: async ({ positionals }) => (await import('./completion.ts')).printScript(positionals),
});

/** `completion` also serves the scripts that it prints: `completion candidates` completes the last word of a line. */
export const completionCommands: CommandGroup = {
  title: 'In your shell',
  commands: [
    {
      ...completion,
      async run(args, context) {
        if (args[0] !== 'candidates') return completion.run(args, context);
        return (await import('./completion.ts')).printCandidates(args.slice(1), context);
      },
    },
  ],
};
