import { Argument, type Option, type Command as Program } from "commander";
import { command } from "./command-type";
import { print } from "./output";

/** What may follow the words in `path`. */
interface Level {
  path: string;
  words: readonly { word: string; summary: string }[];
  options: readonly Option[];
}

function levelsOf(program: Program, path = ""): Level[] {
  const { commands, registeredArguments } = program;
  const choices = registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const words = [
    ...commands.map((one) => ({ word: one.name(), summary: one.summary() })),
    ...choices.map((word) => ({ word, summary: "" })),
  ];
  const options = program.createHelp().visibleOptions(program);
  const below = commands.flatMap((one) => levelsOf(one, `${path} ${one.name()}`.trim()));
  return [{ path, words, options }, ...below];
}

const pathsIn = (levels: readonly Level[]): string[] =>
  levels.map(({ path }) => path).filter((path) => path !== "");
const flagsOf = ({ short, long }: Option): string[] => [long, short].filter((flag) => flag != null);

/** Completes words, options and the choices of an option. Where there are none, the shell completes files. */
function bash(levels: readonly Level[]): string {
  const row = (key: string, offers: readonly string[]) => `    "${key}") offers="${offers.join(" ")}" ;;`;
  const rows = levels.flatMap(({ path, words, options }) => [
    row(path, [...words.map(({ word }) => word), ...options.flatMap(flagsOf)]),
    ...options
      .filter(({ required }) => required)
      .flatMap((option) => flagsOf(option).map((flag) => row(`${path} ${flag}`, option.argChoices ?? []))),
  ]);
  const paths = pathsIn(levels).map((path) => `"${path}"`);
  return `# Completion of waymark for bash. In ~/.bashrc: eval "$(waymark completion bash)"
_waymark() {
  local path="" word key offers=""
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    key="\${path:+$path }$word"
    case "$key" in ${paths.join(" | ")}) path="$key" ;; *) break ;; esac
  done
  for key in "$path" "$path \${COMP_WORDS[COMP_CWORD-1]}"; do
    case "$key" in
${rows.join("\n")}
    esac
  done
  COMPREPLY=($(compgen -W "$offers" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _waymark waymark
`;
}

const zsh = (levels: readonly Level[]): string => `#compdef waymark
# Completion of waymark for zsh. In ~/.zshrc: eval "$(waymark completion zsh)"
autoload -Uz bashcompinit && bashcompinit
${bash(levels).split("\n").slice(1).join("\n")}`;

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function fish(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ path, words, options }) => {
    const start = `complete -c waymark -n ${quoted(`__waymark_is ${path}`)}`;
    return [
      ...words.map(({ word, summary }) => `${start} -f -a ${word} -d ${quoted(summary)}`),
      ...options.map(({ long, short, required, argChoices, description }) => {
        const flags = `${long ? ` -l ${long.slice(2)}` : ""}${short ? ` -s ${short.slice(1)}` : ""}`;
        const choices = argChoices === undefined ? "" : ` -f -a ${quoted(argChoices.join(" "))}`;
        return `${start}${flags}${required ? " -r" : ""}${choices} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# Completion of waymark for fish: waymark completion fish > ~/.config/fish/completions/waymark.fish
function __waymark_is
    set -l path
    for word in (commandline -opc)[2..-1]
        set -l next (string trim "$path $word")
        contains -- $next ${pathsIn(levels).map(quoted).join(" ")}; or break
        set path $next
    end
    test "$path" = "$argv"
end
${lines.join("\n")}
`;
}

const SCRIPTS = { bash, zsh, fish };

export const completionCommand = command({
  name: "completion",
  summary: "Print the completion script of a shell",
  operand: new Argument("<SHELL>").choices(Object.keys(SCRIPTS)),
  json: false,
  examples: [
    'eval "$(waymark completion bash)"',
    'eval "$(waymark completion zsh)"',
    "waymark completion fish > ~/.config/fish/completions/waymark.fish",
  ],
  async run(context, _, shell) {
    print(context, SCRIPTS[shell as keyof typeof SCRIPTS](levelsOf(context.program)));
  },
});
