import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { mergeTags } from "../../src/links/merge-tags";
import { importLinks } from "../../src/links/import";
import { listUsedTags } from "../../src/tags/service";
import { counted, makeWorkspace, serviceContext, type TestWorkspace } from "../harness";
