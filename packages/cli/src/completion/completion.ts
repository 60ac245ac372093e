import { ArgumentError, type Command, EXIT_OK } from '../command.ts';

const USAGE = `Usage: tollgate completion <bash|zsh|fish>

Prints a script that completes commands and options in your shell:

  bash   tollgate completion bash > ~/.local/share/bash-completion/completions/tollgate
  zsh    tollgate completion zsh > "\${fpath[1]}/_tollgate"
  fish   tollgate completion fish > ~/.config/fish/completions/tollgate.fish

Exit code: 0 done, 2 failed.`;

const SHELLS = { bash, zsh, fish };

/** What can follow a command: its actions, and the options that its usage names. */
interface Words {
  name: string;
  summary: string;
  words: string[];
}

/** @param commands read late, because this command is one of them */
export function completion(commands: () => Record<string, Command>): Command {
  return {
    summary: 'prints a script that completes commands in your shell',
    usage: USAGE,
    actions: Object.keys(SHELLS),
    async run([shell = '', ...others], { print }) {
      if (!isShell(shell) || others.length > 0) throw new ArgumentError('Pass bash, zsh, or fish.');
      print(SHELLS[shell](Object.entries(commands()).map(wordsOf)));
      return EXIT_OK;
    },
  };
}

const isShell = (text: string): text is keyof typeof SHELLS => Object.hasOwn(SHELLS, text);

function wordsOf([name, { summary, usage, actions = [] }]: [string, Command]): Words {
  const options = new Set(usage.match(/(?<=^\s*)--[a-z][a-z-]*/gm));
  return { name, summary, words: [...actions, ...options, '--help'] };
}

function bash(commands: Words[]): string {
  return `_tollgate() {
  local words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')}"
  else
    case "\${COMP_WORDS[1]}" in
${commands.map(({ name, words }) => `      ${name}) words="${words.join(' ')}" ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tollgate tollgate`;
}

function zsh(commands: Words[]): string {
  return `#compdef tollgate
if (( CURRENT == 2 )); then
  local -a commands=(
${commands.map(({ name, summary }) => `    '${name}:${summary.replaceAll("'", "'\\''")}'`).join('\n')}
  )
  _describe command commands
else
  case "$words[2]" in
${commands.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')} ;;`).join('\n')}
  esac
  _files
fi`;
}

function fish(commands: Words[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  return commands
    .flatMap(({ name, summary, words }) => [
      `complete -c tollgate -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      `complete -c tollgate -n '__fish_seen_subcommand_from ${name}' -a ${quoted(words.join(' '))}`,
    ])
    .join('\n');
}
