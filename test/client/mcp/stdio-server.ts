import { waymark } from "../../../src/client";
import { serveMcp } from "../../../src/client/mcp/server";

const { WAYMARK_URL: url = "", WAYMARK_KEY: key = "" } = process.env;
await serveMcp({ client: waymark({ url, key }), version: "1.2.3", write: true });
