import type { Option, Command as Program } from "commander";
import { command } from "./command";
import { print } from "./output";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** The first word of a command line that asks what may follow the others. The scripts send it. */
export const COMPLETE = "--complete";

// A shell completes files where nothing is offered.
const BASH = `_waymark() {
  local offers
  offers=$(waymark ${COMPLETE} "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}" 2>/dev/null | cut -f1)
  COMPREPLY=($(compgen -W "$offers" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _waymark waymark
`;
const FISH_OFFERS = `waymark ${COMPLETE} (commandline -opc)[2..-1] 2>/dev/null`;

const SCRIPTS = {
  bash: `# Completion of waymark for bash. In ~/.bashrc: eval "$(waymark completion bash)"
${BASH}`,
  zsh: `#compdef waymark
# Completion of waymark for zsh. In ~/.zshrc: eval "$(waymark completion zsh)"
autoload -Uz bashcompinit && bashcompinit
${BASH}`,
  fish: `# Completion of waymark for fish: waymark completion fish > ~/.config/fish/completions/waymark.fish
complete -c waymark -n '${FISH_OFFERS} | string length -q' -f -a '(${FISH_OFFERS})'
`,
};

const flagsOf = ({ short, long }: Option): string[] => [long, short].filter((flag) => flag != null);

/** What may follow the words, a line each with its summary after a tab: commands, options and choices. */
export function offersAfter(program: Program, words: readonly string[]): string {
  let current = program;
  for (const word of words) {
    const next = current.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    current = next;
  }
  const options = current.createHelp().visibleOptions(current);
  const asked = options.find((option) => option.required && flagsOf(option).includes(words.at(-1) ?? ""));
  const choices = asked === undefined ? current.registeredArguments : [asked];
  const offers = choices.flatMap(({ argChoices = [] }) => argChoices.map((word) => [word, ""]));
  if (asked === undefined) {
    offers.push(...current.commands.map((one) => [one.name(), one.summary()]));
    offers.push(...options.flatMap((option) => flagsOf(option).map((flag) => [flag, option.description])));
  }
  return offers.map((offer) => `${offer.join("\t")}\n`).join("");
}

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
    print(context, SCRIPTS[SHELLS.find((one) => one === shell) ?? "bash"]);
  },
});
