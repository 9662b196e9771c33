/** Whether a `Prefer` header (RFC 7240) asks for `handling=strict`. Of repeated preferences the first one counts. */
export function prefersStrict(header: string | null | undefined): boolean {
  // Other preferences may have quoted values with commas.
  const unquoted = (header ?? "")
    .split('"')
    .map((part, index) => (index % 2 === 0 ? part : part.replaceAll(/[,;=]/g, "_")))
    .join("");
  for (const preference of unquoted.split(",")) {
    const [name = "", value = "", ...more] = (preference.split(";")[0] ?? "").split("=");
    if (name.trim().toLowerCase() === "handling") {
      return more.length === 0 && value.trim().toLowerCase() === "strict";
    }
  }
  return false;
}
