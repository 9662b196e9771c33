/** Cloudflare answers this path itself where Access is in front. */
export const ACCESS_SIGN_OUT = "/cdn-cgi/access/logout";
