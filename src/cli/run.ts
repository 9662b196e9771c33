/** The text of an error, without what caused it. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Runs a command. If it fails, its process ends with the message of the error and code 1, whatever is still open. */
export async function run(command: () => void | Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exit(1);
  }
}
