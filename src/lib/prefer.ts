/** Whether a `Prefer` header (RFC 7240) asks for `handling=strict`. Of repeated preferences the first one counts. */
export function prefersStrict(header: string | null | undefined): boolean {
  for (const preference of (header ?? "").split(",")) {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=");
    if (name.trim().toLowerCase() === "handling") {
      return value.trim().replaceAll('"', "").toLowerCase() === "strict";
    }
  }
  return false;
}
