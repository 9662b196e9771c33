import type { Options } from "./args";
import { type Command, command } from "./command";
import { EXIT } from "./exit";
import { optionsOf } from "./help";
import { print } from "./output";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** The words that may follow the given ones. An empty name is the command line's beginning. */
interface Level {
  name: string;
  words: readonly { word: string; summary: string }[];
  options: Options;
}

function levelsOf(commands: readonly Command[]): Level[] {
  const wordsAfter = (before: readonly string[]) => {
    const words = new Map<string, string>();
    for (const { name, summary } of commands) {
      const parts = name.split(" ");
      const next = parts[before.length];
      if (next === undefined || before.some((word, index) => parts[index] !== word)) continue;
      const isWhole = parts.length === before.length + 1;
      if (!words.has(next)) words.set(next, isWhole ? summary : `Commands for ${next}`);
    }
    return [...words].map(([word, summary]) => ({ word, summary }));
  };
  const groups = new Set(
    commands
      .map(({ name }) => name.split(" "))
      .flatMap(([group = "", verb]) => (verb === undefined ? [] : [group])),
  );
  return [
    { name: "", words: wordsAfter([]), options: {} },
    ...[...groups].map((group) => ({ name: group, words: wordsAfter([group]), options: {} })),
    ...commands.map((one) => ({
      name: one.name,
      words: (one.operand?.choices ?? []).map((word) => ({ word, summary: "" })),
      options: optionsOf(one),
    })),
  ];
}

const flagsOf = (options: Options): string[] =>
  Object.entries(options).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ]);

/** Completes words, options and the choices of an option. Where there are none, the shell completes files. */
function bash(levels: readonly Level[]): string {
  const cases = levels.map(({ name, words, options }) => {
    const all = [...words.map(({ word }) => word), ...flagsOf(options)];
    return `    "${name}") offers="${all.join(" ")}" ;;`;
  });
  const choices = levels.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { value, short, choices: values = [] }]) => {
      if (value === undefined) return [];
      const flags = [`"${name} --${option}"`, ...(short === undefined ? [] : [`"${name} -${short}"`])];
      return [`    ${flags.join(" | ")}) offers="${values.join(" ")}" ;;`];
    }),
  );
  return `# Completion of waymark for bash. In ~/.bashrc: eval "$(waymark completion bash)"
_waymark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" name="" word offers=""
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$word" in -*) break ;; esac
    case "$name \${word}" in
${nameCases(levels)}
      *) break ;;
    esac
  done
  case "$name" in
${cases.join("\n")}
  esac
  case "$name $previous" in
${choices.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -o default -F _waymark waymark
`;
}

const nameCases = (levels: readonly Level[]): string =>
  levels
    .filter(({ name }) => name !== "")
    .map(({ name }) => {
      const before = name.split(" ").slice(0, -1).join(" ");
      return `      "${before} ${name.split(" ").at(-1)}") name="${name}" ;;`;
    })
    .join("\n");

const zsh = (levels: readonly Level[]): string => `#compdef waymark
# Completion of waymark for zsh. In ~/.zshrc: eval "$(waymark completion zsh)"
autoload -Uz bashcompinit && bashcompinit
${bash(levels).split("\n").slice(1).join("\n")}`;

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function fish(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ name, words, options }) => {
    const condition = quoted(`__waymark_is ${name}`.trimEnd());
    return [
      ...words.map(
        ({ word, summary }) => `complete -c waymark -n ${condition} -f -a ${word} -d ${quoted(summary)}`,
      ),
      ...Object.entries(options).map(([option, { short, value, choices, description }]) =>
        [
          `complete -c waymark -n ${condition} -l ${option}`,
          ...(short === undefined ? [] : [`-s ${short}`]),
          ...(value === undefined ? [] : ["-r"]),
          ...(choices === undefined ? [] : [`-f -a ${quoted(choices.join(" "))}`]),
          `-d ${quoted(description)}`,
        ].join(" "),
      ),
    ];
  });
  const names = levels.map(({ name }) => name).filter((name) => name !== "");
  return `# Completion of waymark for fish: waymark completion fish > ~/.config/fish/completions/waymark.fish
function __waymark_is
    set -l name
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; and break
        set -l next (string trim "$name $word")
        contains -- $next ${names.map(quoted).join(" ")}; or break
        set name $next
    end
    test "$name" = "$argv"
end
${lines.join("\n")}
`;
}

const SCRIPTS: Readonly<Record<Shell, (levels: readonly Level[]) => string>> = { bash, zsh, fish };

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
  async run(context, args) {
    const shell = SHELLS.find((one) => one === args.operand) ?? "bash";
    print(context, SCRIPTS[shell](levelsOf(context.commands)));
    return EXIT.done;
  },
});
