import { listAlerts } from "../../alerts/list";
import { tryWebhook } from "../../alerts/try-webhook";
import type { Commands } from "./options";

export const alertCommands: Commands = {
  "alert test": {
    required: [],
    description:
      "sends a test message to ALERT_WEBHOOK; with --remote the deployed Worker sends it within two minutes",
    run: async (ctx, _options, { remote }) => tryWebhook(ctx, remote),
  },
  "alert list": {
    required: [],
    description: "lists the last 100 alerts, and which of them were delivered",
    run: async (ctx) => ({ alerts: await listAlerts(ctx) }),
  },
};
