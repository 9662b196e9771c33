import type { Option, Command as Program } from "commander";
import { command } from "./command";
import { print } from "./output";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** What may follow the words in `path`. */
interface Level {
  path: string;
  words: readonly { word: string; summary: string }[];
  options: readonly Option[];
}

function levelsOf(program: Program, path = ""): Level[] {
  const { commands, registeredArguments } = program;
  const verbs = commands.map((one) => ({ word: one.name(), summary: one.summary() }));
  const choices = registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const own: Level = {
    path,
    words: [...verbs, ...choices.map((word) => ({ word, summary: "" }))],
    options: program.createHelp().visibleOptions(program),
  };
  return [own, ...commands.flatMap((one) => levelsOf(one, `${path} ${one.name()}`.trim()))];
}

const flagsOf = ({ short, long }: Option): string[] =>
  [long, short].filter((flag) => typeof flag === "string");

const pathsIn = (levels: readonly Level[]): string[] =>
  levels.map(({ path }) => path).filter((path) => path !== "");

/** Completes words, options and the choices of an option. Where there are none, the shell completes files. */
function bash(levels: readonly Level[]): string {
  const offers = levels.map(({ path, words, options }) => {
    const all = [...words.map(({ word }) => word), ...options.flatMap(flagsOf)];
    return `    "${path}") offers="${all.join(" ")}" ;;`;
  });
  const choices = levels.flatMap(({ path, options }) =>
    options
      .filter(({ required }) => required)
      .map((option) => {
        const flags = flagsOf(option).map((flag) => `"${path} ${flag}"`);
        return `    ${flags.join(" | ")}) offers="${option.argChoices?.join(" ") ?? ""}" ;;`;
      }),
  );
  return `# Completion of waymark for bash. In ~/.bashrc: eval "$(waymark completion bash)"
_waymark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word next offers=""
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${pathsIn(levels)
        .map((path) => `"${path}"`)
        .join(" | ")}) path="$next" ;;
      *) break ;;
    esac
  done
  case "$path" in
${offers.join("\n")}
  esac
  case "$path $previous" in
${choices.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
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
        const flags = [...(long ? [`-l ${long.slice(2)}`] : []), ...(short ? [`-s ${short.slice(1)}`] : [])];
        const choices = argChoices === undefined ? "" : ` -f -a ${quoted(argChoices.join(" "))}`;
        return `${start} ${flags.join(" ")}${required ? " -r" : ""}${choices} -d ${quoted(description)}`;
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
  operand: { name: "SHELL", choices: SHELLS },
  json: false,
  examples: [
    'eval "$(waymark completion bash)"',
    'eval "$(waymark completion zsh)"',
    "waymark completion fish > ~/.config/fish/completions/waymark.fish",
  ],
  async run(context, _, shell) {
    const name = SHELLS.find((one) => one === shell) ?? "bash";
    print(context, SCRIPTS[name](levelsOf(context.program)));
  },
});
