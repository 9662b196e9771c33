/** Zero-width spaces, soft hyphens and direction controls: with them, names that look the same would be two. */
export const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
