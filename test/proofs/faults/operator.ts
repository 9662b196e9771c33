import type { Context } from "../../../src/context";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { blockHost, unblockHost } from "../../../src/resources/destinations/blocklist";
import { resumeWorkspace, suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { callService, type ServiceCall } from "./bindings";

// What operators do, in the place of a request.

export const moderate = (own: Context, named: string, isEnd: boolean): ServiceCall =>
  callService(own, (ctx) => (isEnd ? endTakedown : takeDown)(ctx, named));

/** Suspends the context's workspace, or resumes it. */
export const suspend = (own: Context, isEnd: boolean): ServiceCall =>
  callService(own, (ctx) => (isEnd ? resumeWorkspace : suspendWorkspace)(ctx, own.workspace.slug));

export const block = (own: Context, host: string, isEnd: boolean): ServiceCall =>
  callService(own, (ctx) => (isEnd ? unblockHost : blockHost)(ctx, host));
