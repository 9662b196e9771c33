import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Passkeys of people. A passkey starts sessions with its own scope. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** The id that the authenticator gave it, as base64url. */
    credential: text().primaryKey(),
    public_id: text().notNull().unique(),
    email: text().notNull(),
    name: text().notNull(),
    /** As SPKI in base64url. */
    public_key: text().notNull(),
    /** Its number in COSE. */
    algorithm: integer().notNull(),
    /** The highest count of signatures that the authenticator has said. Most say 0. */
    counter: integer().notNull(),
    /** The main host when it was made. */
    rp_id: text().notNull(),
    /** Public ids of the only workspaces that it opens, each followed by a dot; null for all. */
    workspaces: text(),
    /** Public ids of the workspaces that the person was removed from since it was made, each followed by a dot. */
    closed: text().notNull(),
    created_at: integer().notNull(),
    /** Null before its first use. */
    last_used_at: integer(),
  },
  (table) => [index("passkeys_email").on(table.email)],
);

/** Challenges that were answered, as SHA-256. */
export const usedChallenges = sqliteTable(
  "used_challenges",
  {
    hash: text().primaryKey(),
    /** From then on the challenge is too old anyway. */
    expires_at: integer().notNull(),
  },
  (table) => [index("used_challenges_expires").on(table.expires_at)],
);

/** Secrets that the service makes itself, by name. */
export const secrets = sqliteTable("secrets", {
  name: text().primaryKey(),
  value: text().notNull(),
});
