/** The mark of the service: a way sign with two plates. On a square of 32, with colours of its own. */
export const BRAND_MARK =
  '<rect width="32" height="32" rx="8" fill="#2a45d6"/><path d="M14.5 4v24h3V4zM25 18H11.5L7 22l4.5 4H25z" fill="#fff"/>' +
  '<path d="M7 7h13.5l5 4.25-5 4.25H7z" fill="#ffc53d"/>';

/** As an image of a page that says the name beside it. */
export const brandImage = (pixels: number): string =>
  `<svg width="${pixels}" height="${pixels}" viewBox="0 0 32 32" aria-hidden="true">${BRAND_MARK}</svg>`;
