import { vi } from "vitest";

/** Sets the clock to so many milliseconds from now. `vi.restoreAllMocks` lets it go on. */
export function later(ms: number): void {
  const now = Date.now() + ms;
  vi.spyOn(Date, "now").mockImplementation(() => now);
}
