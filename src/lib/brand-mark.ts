/** The mark of the service: a way sign with two plates. On a square of 32, with colours of its own. */
export const BRAND_MARK =
  '<rect width="32" height="32" rx="8" fill="#2a45d6"/><path d="M16 5v22" stroke="#fff" stroke-width="3" stroke-linecap="round"/>' +
  '<path d="M8 7.5h13l4.5 4-4.5 4H8z" fill="#ffc53d"/><path d="M24 18H12l-4 3.5 4 3.5h12z" fill="#fff"/>';

/** As an image of a page that says the name beside it. */
export const brandImage = (pixels: number): string =>
  `<svg width="${pixels}" height="${pixels}" viewBox="0 0 32 32" aria-hidden="true">${BRAND_MARK}</svg>`;
