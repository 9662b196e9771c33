// A `datetime-local` field has no zone. Forms show and read it as UTC.

/** The value of a `datetime-local` field. Seconds and milliseconds are left out if they are 0. */
export const toMomentField = (time: string | null): string =>
  (time ?? "").replace(/(?::00)?(?:\.000)?Z$/, "");

/** The ISO time of a `datetime-local` field. Another text stays as it is. */
export const fromMomentField = (text: string): string =>
  /^[\d-]+T[\d:.]+$/.test(text) ? `${text.replace(/T\d\d:\d\d$/, "$&:00")}Z` : text;
